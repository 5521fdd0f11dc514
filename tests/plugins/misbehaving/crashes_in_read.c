/* SPDX-License-Identifier: Apache-2.0
 * read() dies of a segmentation fault. In a process of its own this costs one call; in the host's
 * it ends the host, as every crash there would.
 */
#include "misbehaving.h"

#include <signal.h>

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  (void)self;
  (void)call;
  (void)which;
  (void)out;
  raise(SIGSEGV);
  return SKH_FAILED;
}

MISBEHAVING_SOURCE("crashes_in_read", &hello_list, &read_document);
