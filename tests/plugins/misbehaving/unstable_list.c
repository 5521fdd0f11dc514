/* SPDX-License-Identifier: Apache-2.0
 * Gives the same bytes another revision each time. The host reads unchanged documents again and
 * again, and must tolerate that.
 */
#include "one_document.h"

#include <stdatomic.h>
#include <stdio.h>

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  static atomic_uint count;
  char revision[32];
  skh_document one = good_document();
  (void)self;
  (void)call;
  snprintf(revision, sizeof revision, "%u", atomic_fetch_add(&count, 1));
  one.revision = text_of(revision);
  out->add(out, &one);
  return out->done(out, text_of(revision));
}

MISBEHAVING_SOURCE("unstable_list", &list, &hello_read);
