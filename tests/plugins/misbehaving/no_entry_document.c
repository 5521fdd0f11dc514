/* SPDX-License-Identifier: Apache-2.0
 * Its skill has no entry, so the host cannot serve it.
 */
#include "one_document.h"

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  skh_document one = good_document();
  (void)self;
  (void)call;
  one.flags = 0;
  out->add(out, &one);
  return out->done(out, text_of("1"));
}

MISBEHAVING_SOURCE("no_entry_document", &list, &hello_read);
