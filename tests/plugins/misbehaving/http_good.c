/* SPDX-License-Identifier: Apache-2.0 */
/* This handler has no fault. Each other one differs from it by a fault. */
#include "small_http.h"

SMALL_HTTP("http_good");
