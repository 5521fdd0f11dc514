/* SPDX-License-Identifier: Apache-2.0
 * Explains its hits in words, where a JSON object is required. The host must not pass it on.
 */
#include "small_search.h"

#include <skillhost/explain.h>

#include <string.h>

static skh_status explain(void *self, const skh_call *call, skh_str text, skh_str id,
                          const skh_bytes *out) {
  static const char said[] = "\"it fits\"";
  (void)self;
  (void)call;
  (void)text;
  (void)id;
  return out->write(out, said, sizeof said - 1);
}

static const void *extension(void *self, const char *id) {
  static const skh_explain table = {sizeof(skh_explain), SKH_EXPLAIN_MAGIC, &explain, NULL};
  return strcmp(id, SKH_EXPLAIN) == 0 ? &table : small_extension(self, id);
}

MISBEHAVING_SEARCH_WITH("search_explains_in_words", &extension);
