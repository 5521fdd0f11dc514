/* SPDX-License-Identifier: Apache-2.0
 * Never ends the listing, and returns a success. The whole listing is void.
 */
#include "one_document.h"

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  skh_document one = good_document();
  (void)self;
  (void)call;
  out->add(out, &one);
  return SKH_OK;
}

MISBEHAVING_SOURCE("never_done", &list, &hello_read);
