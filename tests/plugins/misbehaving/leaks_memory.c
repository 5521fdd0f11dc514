/* SPDX-License-Identifier: Apache-2.0
 * Every create() and every read() keeps 256 KiB that nobody frees.
 */
#include "misbehaving.h"

#include <stdlib.h>

static void *volatile leaked;

static void leak(void) {
  leaked = malloc(256 * 1024);
  if (leaked != NULL) memset(leaked, 1, 256 * 1024);
}

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  leak();
  return hello_create(host, call, self);
}

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  leak();
  return hello_read(self, call, which, out);
}

static const skh_source source = {sizeof(skh_source), 0, &hello_list, &read_document, NULL};
MISBEHAVING("skh.source/1", "leaks_memory", NULL, &source, &create, &hello_destroy, NULL);
