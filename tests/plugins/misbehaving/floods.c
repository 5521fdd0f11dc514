/* SPDX-License-Identifier: Apache-2.0
 * read() writes 4 GiB without regard to the sink's refusals, and returns a success. The host must
 * keep no more than its limit, and answer with the limit.
 */
#include "misbehaving.h"

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  static const char block[1024 * 1024];
  (void)self;
  (void)call;
  (void)which;
  for (int written = 0; written < 4096; ++written) out->write(out, block, sizeof block);
  return SKH_OK;
}

MISBEHAVING_SOURCE("floods", &hello_list, &read_document);
