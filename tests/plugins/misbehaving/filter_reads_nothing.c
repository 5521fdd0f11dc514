/* SPDX-License-Identifier: Apache-2.0 */
/* This filter returns SKH_OK without bytes for a document that its upstream cannot read. */
#define READ reads_nothing
#include "small_filter.h"

static skh_status reads_nothing(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  const skh_status status = read_one(self, call, which, out);
  return status == SKH_UNAVAILABLE ? SKH_OK : status;
}

SMALL_FILTER("filter_reads_nothing");
