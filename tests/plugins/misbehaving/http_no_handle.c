/* SPDX-License-Identifier: Apache-2.0 */
/* This handler has a route that is no constant, and no function for it. */
#define HANDLE NULL
#include "small_http.h"

SMALL_HTTP("http_no_handle");
