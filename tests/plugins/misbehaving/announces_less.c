/* SPDX-License-Identifier: Apache-2.0
 * Announces a byte less than read() gives. The host must not serve the bytes under that length.
 */
#include "one_document.h"

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  skh_document one = good_document();
  (void)self;
  (void)call;
  one.length -= 1;
  out->add(out, &one);
  return out->done(out, text_of("1"));
}

MISBEHAVING_SOURCE("announces_less", &list, &hello_read);
