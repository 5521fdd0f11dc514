/* SPDX-License-Identifier: Apache-2.0 */
/* This handler claims one path twice. */
#define SECOND_PATH "/hello"
#include "small_http.h"

SMALL_HTTP("http_path_twice");
