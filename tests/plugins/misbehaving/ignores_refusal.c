/* SPDX-License-Identifier: Apache-2.0
 * Writes byte by byte without regard to the sink's refusals, and returns a success. The host must
 * regard it as a failure all the same.
 */
#include "misbehaving.h"

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  (void)self;
  (void)call;
  if (!same_text(which->skill, "hello") || !same_text(which->path, "SKILL.md"))
    return SKH_NOT_FOUND;
  if (!same_text(which->revision, "1")) return SKH_STALE;
  for (size_t i = 0; i + 1 < sizeof HELLO_TEXT; ++i) out->write(out, &HELLO_TEXT[i], 1);
  return SKH_OK;
}

MISBEHAVING_SOURCE("ignores_refusal", &hello_list, &read_document);
