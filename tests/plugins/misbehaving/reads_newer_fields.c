/* SPDX-License-Identifier: Apache-2.0
 * read() looks at a field of minor 1 without SKH_HAS(): in a host of 1.0 that is the memory behind
 * the struct.
 */
#include "misbehaving.h"

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  const volatile size_t *const size = &call->traceparent.size;
  return *size == 4711 ? SKH_FAILED : hello_read(self, call, which, out);
}

MISBEHAVING_SOURCE("reads_newer_fields", &hello_list, &read_document);
