/* SPDX-License-Identifier: Apache-2.0
 * create() reads a field of a later minor without SKH_HAS(): in a host of 1.0 that is the memory
 * behind the struct.
 */
#include "misbehaving.h"

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  const volatile uint64_t *const next = (const void *)(host + 1);
  return *next == 4711 ? SKH_FAILED : hello_create(host, call, self);
}

MISBEHAVING_LIFE("reads_past_the_end", &create, &hello_destroy);
