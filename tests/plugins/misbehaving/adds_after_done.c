/* SPDX-License-Identifier: Apache-2.0
 * Goes on after the end of the listing. The whole listing is void.
 */
#include "one_document.h"

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  skh_document one = good_document();
  (void)self;
  (void)call;
  out->add(out, &one);
  out->done(out, text_of("1"));
  one.flags = 0;
  one.path = text_of("late.md");
  out->add(out, &one);
  return SKH_OK;
}

MISBEHAVING_SOURCE("adds_after_done", &list, &hello_read);
