/* SPDX-License-Identifier: Apache-2.0
 * A search plugin that finds entries with "pdf" in their description. It is right by default; a
 * fixture defines one of the macros before it includes this file, and is wrong in that.
 */
#pragma once

#include "misbehaving.h"

#include <skillhost/held.h>

#include <stdlib.h>

#ifndef SEEN /* the state that query() looks at */
#define SEEN(entry) (entry).committed
#endif
#ifndef HELD /* the state that held() looks at */
#define HELD(entry) (entry).committed
#endif
#ifndef REVISION /* the one that held() names */
#define REVISION(entry) (entry).shown
#endif
#ifndef SCORE /* of the hit at a position */
#define SCORE(position) 1.0
#endif
#ifndef LIMIT /* how many hits are given */
#define LIMIT(limit) (limit)
#endif
#ifndef TIMES /* how often each of them is */
#define TIMES 1
#endif
#ifndef ORDER /* of ids: 1 upwards, -1 downwards */
#define ORDER 1
#endif

enum { MOST = 256 };
static struct indexed {
  char id[64], revision[64], shown[64]; /* shown: of what is committed */
  int fits, even, pending, committed;
} entries[MOST];
static size_t entry_count;
static char generation_text[64];

static int has(skh_str text, const char *word) {
  const size_t size = strlen(word);
  for (size_t i = 0; i + size <= text.size; ++i)
    if (memcmp(text.data + i, word, size) == 0) return 1;
  return 0;
}

static struct indexed *find(skh_str id) {
  for (size_t i = 0; i < entry_count; ++i)
    if (same_text(id, entries[i].id)) return &entries[i];
  return NULL;
}

static skh_status small_put(void *self, const skh_call *call, const skh_entry_text *text) {
  struct indexed *entry = find(text->id);
  (void)self;
  (void)call;
  if (entry == NULL) {
    if (entry_count == MOST || text->id.size >= sizeof entries[0].id) return SKH_TOO_LARGE;
    entry = &entries[entry_count++];
    memset(entry, 0, sizeof *entry);
    memcpy(entry->id, text->id.data, text->id.size);
  }
  entry->fits = has(text->description, "pdf");
  entry->even = has(text->attributes, "\"even\"");
  if (text->revision.size >= sizeof entry->revision) return SKH_TOO_LARGE;
  memset(entry->revision, 0, sizeof entry->revision);
  if (text->revision.size != 0) memcpy(entry->revision, text->revision.data, text->revision.size);
  entry->pending = 1;
  return SKH_OK;
}

static skh_status small_remove(void *self, const skh_call *call, skh_str id) {
  struct indexed *const entry = find(id);
  (void)self;
  (void)call;
  if (entry != NULL) entry->pending = 0;
  return SKH_OK;
}

static int by_id(const void *left, const void *right) {
  return ORDER * strcmp(((const struct indexed *)left)->id, ((const struct indexed *)right)->id);
}

static skh_status small_commit(void *self, const skh_call *call, skh_str generation) {
  (void)self;
  (void)call;
  if (generation.size >= sizeof generation_text) return SKH_TOO_LARGE;
  for (size_t i = 0; i < entry_count; ++i) {
    entries[i].committed = entries[i].pending;
    memcpy(entries[i].shown, entries[i].revision, sizeof entries[i].shown);
  }
  qsort(entries, entry_count, sizeof entries[0], &by_id);
  memset(generation_text, 0, sizeof generation_text);
  memcpy(generation_text, generation.data, generation.size);
  return SKH_OK;
}

static skh_status small_generation(void *self, const skh_call *call, const skh_bytes *out) {
  (void)self;
  (void)call;
  return out->write(out, generation_text, strlen(generation_text));
}

static skh_status small_query(void *self, const skh_call *call, skh_str text, skh_str filter,
                              uint32_t limit, const skh_hits *out) {
  uint32_t given = 0;
  (void)self;
  (void)call;
  if (!has(text, "pdf")) return SKH_OK;
  for (size_t i = 0; i < entry_count && given < LIMIT(limit); ++i) {
    if (!SEEN(entries[i]) || !entries[i].fits) continue;
    if (filter.size != 0 && !entries[i].even) continue;
    const skh_hit hit = {sizeof hit, 0, text_of(entries[i].id), SCORE(given), {NULL, 0}};
    for (int time = 0; time < TIMES && given < LIMIT(limit); ++time, ++given) {
      const skh_status status = out->add(out, &hit);
      if (status < 0) return status;
    }
  }
  return SKH_OK;
}

static skh_status small_held(void *self, const skh_call *call, const skh_held_entries *out) {
  (void)self;
  (void)call;
  for (size_t i = 0; i < entry_count; ++i) {
    if (!HELD(entries[i])) continue;
    const skh_status status = out->add(out, text_of(entries[i].id), text_of(REVISION(entries[i])));
    if (status < 0) return status;
  }
  return SKH_OK;
}

static const skh_held small_holding = {sizeof(skh_held), SKH_HELD_MAGIC, &small_held};

static const void *small_extension(void *self, const char *id) {
  (void)self;
  return strcmp(id, SKH_HELD) == 0 ? &small_holding : NULL;
}

static skh_status small_create(const skh_host *host, const skh_call *call, void **self) {
  entry_count = 0;
  generation_text[0] = '\0';
  return hello_create(host, call, self);
}

static const skh_search small_search = {
    sizeof(skh_search), 0,           &small_put, &small_remove, &small_commit,
    &small_generation,  &small_query};

#define MISBEHAVING_SEARCH_WITH(fault, extension)                                                  \
  MISBEHAVING("skh.search/1", fault, NULL, &small_search, &small_create, &hello_destroy, extension)
#define MISBEHAVING_SEARCH(fault) MISBEHAVING_SEARCH_WITH(fault, &small_extension)
