/* SPDX-License-Identifier: Apache-2.0 */
/* This filter serves an empty snapshot if its upstream fails. */
#define LIST hides_failure
#include "small_filter.h"

static skh_status hides_failure(void *self, const skh_call *call, const skh_documents *out) {
  const skh_status status = list(self, call, out);
  return status == SKH_UNAVAILABLE ? out->done(out, (skh_str){"empty", 5}) : status;
}

SMALL_FILTER("filter_hides_failure");
