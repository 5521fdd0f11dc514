/* SPDX-License-Identifier: Apache-2.0
 * Names one document twice. The host serves it once.
 */
#include "one_document.h"

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  skh_document one = good_document();
  (void)self;
  (void)call;
  out->add(out, &one);
  one.flags = 0;
  out->add(out, &one);
  return out->done(out, text_of("1"));
}

MISBEHAVING_SOURCE("lists_twice", &list, &hello_read);
