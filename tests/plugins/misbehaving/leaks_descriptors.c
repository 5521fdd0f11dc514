/* SPDX-License-Identifier: Apache-2.0
 * Every create() opens a descriptor that nobody closes, and so does every read(): in a process of
 * its own it runs out alone.
 */
#define _POSIX_C_SOURCE 200809L
#include "misbehaving.h"

#include <fcntl.h>

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  return open("/dev/null", O_RDONLY) < 0 ? SKH_FAILED : hello_create(host, call, self);
}

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  return open("/dev/null", O_RDONLY) < 0 ? SKH_FAILED : hello_read(self, call, which, out);
}

static const skh_source source = {sizeof(skh_source), 0, &hello_list, &read_document, NULL};
MISBEHAVING("skh.source/1", "leaks_descriptors", NULL, &source, &create, &hello_destroy, NULL);
