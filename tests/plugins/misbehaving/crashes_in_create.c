/* SPDX-License-Identifier: Apache-2.0
 * create() aborts. In a process of its own the instance is failed and everything else is served.
 */
#include "misbehaving.h"

#include <stdlib.h>

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  (void)host;
  (void)call;
  (void)self;
  abort();
}

MISBEHAVING_LIFE("crashes_in_create", &create, &hello_destroy);
