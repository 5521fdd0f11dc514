/* SPDX-License-Identifier: Apache-2.0
 * Explains its entries, and never settles: settle() returns only when the host gives it up. That
 * breaks no promise; a caller must not wait for ever.
 */
#include "small_search.h"

#include <skillhost/explain.h>

#include <string.h>
#include <time.h>

static skh_status explain(void *self, const skh_call *call, skh_str text, skh_str id,
                          const skh_bytes *out) {
  (void)self;
  (void)call;
  (void)text;
  return find(id) == NULL ? SKH_NOT_FOUND : out->write(out, "{}", 2);
}

static skh_status settle(void *self, const skh_call *call, const skh_bytes *out) {
  const struct timespec pause = {0, 10000000};
  (void)self;
  (void)out;
  call->progress(call, 3, 7, (skh_str){"thinking", 8});
  while (!call->cancelled(call)) nanosleep(&pause, NULL);
  return SKH_CANCELLED;
}

static const void *extension(void *self, const char *id) {
  static const skh_explain table = {sizeof(skh_explain), SKH_EXPLAIN_MAGIC, &explain, &settle};
  return strcmp(id, SKH_EXPLAIN) == 0 ? &table : small_extension(self, id);
}

MISBEHAVING_SEARCH_WITH("search_never_settles", &extension);
