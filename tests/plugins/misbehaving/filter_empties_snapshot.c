/* SPDX-License-Identifier: Apache-2.0 */
/* This filter serves an empty snapshot under the last name if its upstream fails. */
#define LIST empties_snapshot
#include "small_filter.h"

static skh_status empties_snapshot(void *self, const skh_call *call, const skh_documents *out) {
  const skh_status status = list(self, call, out);
  /* The upstream of the check has named this snapshot. */
  return status == SKH_UNAVAILABLE ? out->done(out, (skh_str){"snapshot-1", 10}) : status;
}

SMALL_FILTER("filter_empties_snapshot");
