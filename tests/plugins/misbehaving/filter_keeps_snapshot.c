/* SPDX-License-Identifier: Apache-2.0 */
/* This filter gives every snapshot the same name. */
#define LIST keeps_snapshot
#include "small_filter.h"

/* The sink of the upstream's list, which passes on everything but the name of the snapshot. */
struct passing {
  skh_documents base;
  const skh_documents *to;
};

static skh_status add(const skh_documents *out, const skh_document *document) {
  const skh_documents *to = ((const struct passing *)out)->to;
  return to->add(to, document);
}

static skh_status done(const skh_documents *out, skh_str snapshot) {
  const skh_documents *to = ((const struct passing *)out)->to;
  (void)snapshot;
  return to->done(to, (skh_str){"always", 6});
}

static skh_status keeps_snapshot(void *self, const skh_call *call, const skh_documents *out) {
  const struct passing sink = {{sizeof(skh_documents), 0, add, done}, out};
  return list(self, call, &sink.base);
}

SMALL_FILTER("filter_keeps_snapshot");
