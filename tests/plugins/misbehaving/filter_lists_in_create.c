/* SPDX-License-Identifier: Apache-2.0 */
/* This filter lists its upstream in create(). */
#define CREATE lists_at_once
#include "small_filter.h"

static skh_status add(const skh_documents *out, const skh_document *document) {
  (void)out, (void)document;
  return SKH_OK;
}

static skh_status done(const skh_documents *out, skh_str snapshot) {
  (void)out, (void)snapshot;
  return SKH_OK;
}

static skh_status lists_at_once(const skh_host *host, const skh_call *call, void **self) {
  static const skh_documents nowhere = {sizeof(skh_documents), 0, add, done};
  const skh_status status = create(host, call, self);
  if (status == SKH_OK) upstream_of(*self)->list(upstream_of(*self), call, &nowhere);
  return status;
}

SMALL_FILTER("filter_lists_in_create");
