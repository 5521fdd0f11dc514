/* SPDX-License-Identifier: Apache-2.0
 * Gives other bytes of the same length for the same revision each time. The host cannot notice that
 * before its second read; it goes on serving the bytes that it has served under a digest.
 */
#include "misbehaving.h"

#include <stdatomic.h>

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  static atomic_uint count;
  char text[] = HELLO_TEXT;
  (void)self;
  if (call->cancelled(call)) return SKH_CANCELLED;
  if (!same_text(which->skill, "hello") || !same_text(which->path, "SKILL.md"))
    return SKH_NOT_FOUND;
  if (!same_text(which->revision, "1")) return SKH_STALE;
  text[sizeof text - 2] = (char)(33 + atomic_fetch_add(&count, 1) % 64);
  return out->write(out, text, sizeof text - 1);
}

MISBEHAVING_SOURCE("other_bytes", &hello_list, &read_document);
