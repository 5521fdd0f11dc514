/* SPDX-License-Identifier: Apache-2.0
 * Ends the listing twice, under two names. The whole listing is void.
 */
#include "one_document.h"

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  skh_document one = good_document();
  (void)self;
  (void)call;
  out->add(out, &one);
  out->done(out, text_of("1"));
  return out->done(out, text_of("2"));
}

MISBEHAVING_SOURCE("done_twice", &list, &hello_read);
