/* SPDX-License-Identifier: Apache-2.0 */
/* This handler claims a folder, and a path in it. */
#define PATH "/hello/"
#define FLAGS_OF_ROUTE SKH_ROUTE_FOLDER
#define SECOND_PATH "/hello/in"
#include "small_http.h"

SMALL_HTTP("http_path_in_folder");
