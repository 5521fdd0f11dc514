/* SPDX-License-Identifier: Apache-2.0 */
/* This handler claims a path that does not begin with a slash. */
#define PATH "hello"
#include "small_http.h"

SMALL_HTTP("http_relative_path");
