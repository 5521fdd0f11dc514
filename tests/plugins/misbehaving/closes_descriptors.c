/* SPDX-License-Identifier: Apache-2.0
 * read() closes every descriptor from 3 to 255, none of which it opened. In a process of its own
 * this costs that process its connection, and the host one call.
 */
#define _POSIX_C_SOURCE 200809L
#include "misbehaving.h"

#include <unistd.h>

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  for (int descriptor = 3; descriptor < 256; ++descriptor) close(descriptor);
  return hello_read(self, call, which, out);
}

MISBEHAVING_SOURCE("closes_descriptors", &hello_list, &read_document);
