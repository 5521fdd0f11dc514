/* SPDX-License-Identifier: Apache-2.0
 * Names a document outside of its skill. The host leaves that document out, and serves the rest.
 */
#include "one_document.h"

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  skh_document one = good_document();
  (void)self;
  (void)call;
  out->add(out, &one);
  one.flags = 0;
  one.path = text_of("../../etc/passwd");
  out->add(out, &one);
  return out->done(out, text_of("1"));
}

MISBEHAVING_SOURCE("dotdot_path", &list, &hello_read);
