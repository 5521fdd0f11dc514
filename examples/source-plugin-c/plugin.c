/* SPDX-License-Identifier: Apache-2.0
 * A source plugin in C that serves the documents compiled into it.
 *
 * Read it from the bottom up: the entry names the plugin, and the plugin names its functions.
 * Calls of list, read and changes may overlap on any threads. That is safe here, because an
 * instance never changes once create() has returned.
 */
#include "documents.h"

#include <skillhost/plugin.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REVISION_SIZE = 17, CHUNK = 16 * 1024 };

struct instance {
  char snapshot[REVISION_SIZE];
  char revisions[][REVISION_SIZE]; /* one for each of documents[] */
};

static skh_str text_of(const char *text) {
  const skh_str view = {text, strlen(text)};
  return view;
}

static int same(skh_str left, const char *right) {
  return left.size == strlen(right) && memcmp(left.data, right, left.size) == 0;
}

/* Reports to the operators why the call fails, and returns the status. */
static skh_status fail(const skh_call *call, skh_status status, const char *why) {
  call->fail(call, text_of(why));
  return status;
}

/* Continues an FNV-1a hash from `hash`. That is enough for texts that are compiled in, because
 * nobody can forge them; hash untrusted bytes with a cryptographic function. */
static uint64_t hash_text(uint64_t hash, const char *text) {
  for (; *text != '\0'; ++text) hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
  return hash;
}

static skh_document describe(const struct instance *instance, size_t index) {
  const struct document *document = &documents[index];
  skh_document out = {0};
  out.size = sizeof out; /* every struct we hand over states its size */
  out.flags = strcmp(document->path, "SKILL.md") == 0 ? SKH_DOC_ENTRY : 0;
  out.skill = text_of(document->skill);
  out.path = text_of(document->path);
  out.revision = text_of(instance->revisions[index]);
  out.length = strlen(document->text);
  return out;
}

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  const struct instance *instance = self;
  for (size_t index = 0; index < document_count; ++index) {
    if (call->cancelled(call)) return SKH_CANCELLED;
    const skh_document document = describe(instance, index);
    const skh_status status = out->add(out, &document);
    if (status != SKH_OK) return status; /* the sink refused: stop, and return its answer */
  }
  return out->done(out, text_of(instance->snapshot)); /* once, after the last add() */
}

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  const struct instance *instance = self;
  for (size_t index = 0; index < document_count; ++index) {
    if (!same(which->skill, documents[index].skill) || !same(which->path, documents[index].path))
      continue;
    if (!same(which->revision, instance->revisions[index]))
      return fail(call, SKH_STALE, "this build of the plugin has another revision of the document");
    const char *text = documents[index].text;
    size_t left = strlen(text);
    while (left > 0) {
      if (call->cancelled(call)) return SKH_CANCELLED;
      const size_t part = left < CHUNK ? left : CHUNK;
      const skh_status status = out->write(out, text, part);
      if (status != SKH_OK) return status;
      text += part;
      left -= part;
    }
    return SKH_OK;
  }
  return fail(call, SKH_NOT_FOUND, "no such document in this plugin");
}

/* The documents never change: either the host has this snapshot, or it must list again. */
static skh_status changes(void *self, const skh_call *call, skh_str since,
                          const skh_documents *out) {
  const struct instance *instance = self;
  if (!same(since, instance->snapshot))
    return fail(call, SKH_STALE, "the snapshot is of another build of the plugin");
  return out->done(out, text_of(instance->snapshot));
}

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  (void)host; /* the configuration is empty, as the schema below demands */
  struct instance *instance = malloc(sizeof *instance + document_count * REVISION_SIZE);
  if (instance == NULL) return fail(call, SKH_FAILED, "out of memory");
  uint64_t all = UINT64_C(14695981039346656037);
  for (size_t index = 0; index < document_count; ++index) {
    const uint64_t one = hash_text(UINT64_C(14695981039346656037), documents[index].text);
    snprintf(instance->revisions[index], REVISION_SIZE, "%016" PRIx64, one);
    all = hash_text(all, documents[index].skill);
    all = hash_text(all, documents[index].path);
    all = hash_text(all, instance->revisions[index]);
  }
  snprintf(instance->snapshot, REVISION_SIZE, "%016" PRIx64, all);
  *self = instance;
  return SKH_OK;
}

static void destroy(void *self) { free(self); }

static const skh_source source = {sizeof source, 0, &list, &read_document, &changes};

static const skh_plugin plugin = {
    .size = sizeof plugin,
    .kind = "skh.source/1",
    .id = "org.example.builtin-skills",
    .version = "1.0.0",
    .summary = "A few skills compiled into the plugin",
    .licence = "Apache-2.0",
    .config_schema = "{\"type\": \"object\", \"additionalProperties\": false}",
    .ops = &source,
    .create = &create,
    .destroy = &destroy,
};

static const skh_plugin *const plugins[] = {&plugin, NULL};

const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
