/* SPDX-License-Identifier: Apache-2.0
 * Drives a source plugin as a host would, with nothing but plugin.h and dlopen: lists, reads every
 * document, asks for a missing one, refuses, cancels. Prints the served documents; exits with 1 and
 * prints a line on stderr for each broken rule.
 *
 *   drive_source PLUGIN.so [CONFIGURATION [FILE REPLACEMENT]]
 *
 * CONFIGURATION is a JSON object. With the last two, it moves REPLACEMENT to FILE after all that
 * and prints the result of changes(), too.
 */
#include "recorder.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int broken_rules;

static void expect(bool holds, const char *rule, const struct copied_document *document) {
  if (holds) return;
  ++broken_rules;
  if (document != NULL)
    fprintf(stderr, "BROKEN: %s (%s/%s)\n", rule, document->skill, document->path);
  else
    fprintf(stderr, "BROKEN: %s\n", rule);
}

static skh_str text_of(const char *text) {
  const skh_str view = {text, strlen(text)};
  return view;
}

static void host_log(const skh_host *host, int32_t level, skh_str message) {
  (void)host;
  fprintf(stderr, "log %d: %.*s\n", level, (int)message.size, message.data);
}
static void host_metric(const skh_host *host, int32_t kind, skh_str name, double value) {
  (void)host, (void)kind, (void)name, (void)value;
}
static void host_changed(const skh_host *host) { (void)host; }
static const void *host_extension(const skh_host *host, const char *id) {
  (void)host, (void)id;
  return NULL;
}

static skh_document name_of(const struct copied_document *document) {
  skh_document which = {.size = sizeof which,
                        .flags = document->flags,
                        .skill = text_of(document->skill),
                        .path = text_of(document->path),
                        .revision = text_of(document->revision),
                        .length = document->length};
  return which;
}

static skh_status read_once(const skh_source *source, void *self, const skh_document *which,
                            struct byte_recorder *bytes, bool cancelled) {
  struct test_call context = begin_call(cancelled);
  return source->read(self, &context.call, which, &bytes->sink);
}

/* Returns the status of a read whose bytes are ignored. */
static skh_status try_read(const skh_source *source, void *self, skh_document which, size_t limit,
                           bool cancelled) {
  struct byte_recorder bytes = record_bytes(limit);
  const skh_status status = read_once(source, self, &which, &bytes, cancelled);
  free_bytes(&bytes);
  return status;
}

static void drive_document(const skh_source *source, void *self,
                           const struct copied_document *document) {
  const skh_document which = name_of(document);
  struct byte_recorder bytes = record_bytes(SIZE_MAX);
  const skh_status status = read_once(source, self, &which, &bytes, false);
  expect(status == SKH_OK, "a listed document can be read", document);
  expect(document->length == UINT64_MAX || bytes.size == document->length,
         "a document is as long as announced", document);
  printf("%s/%s: %zu bytes, revision %s%s\n", document->skill, document->path, bytes.size,
         document->revision, (document->flags & SKH_DOC_ENTRY) ? ", entry" : "");
  if (bytes.size > 0) {
    expect(try_read(source, self, which, bytes.size - 1, false) == SKH_TOO_LARGE,
           "read() ends with the status of a refusing sink", document);
    expect(try_read(source, self, which, SIZE_MAX, true) == SKH_CANCELLED,
           "read() sees that it is cancelled", document);
  }
  free_bytes(&bytes);

  skh_document other = which;
  other.path = text_of("no/such/document");
  expect(try_read(source, self, other, SIZE_MAX, false) == SKH_NOT_FOUND,
         "an unknown path is SKH_NOT_FOUND", document);
  other = which;
  other.skill = text_of("no-such-skill");
  expect(try_read(source, self, other, SIZE_MAX, false) == SKH_NOT_FOUND,
         "an unknown skill is SKH_NOT_FOUND", document);
  other = which;
  other.revision = text_of("no such revision");
  expect(try_read(source, self, other, SIZE_MAX, false) == SKH_STALE,
         "an unknown revision is SKH_STALE", document);
}

static skh_status list_once(const skh_source *source, void *self, struct document_recorder *out,
                            bool cancelled) {
  struct test_call context = begin_call(cancelled);
  const skh_status status = source->list(self, &context.call, &out->sink);
  if (status != SKH_OK && !cancelled && out->refuse_after == SIZE_MAX)
    fprintf(stderr, "list: %d: %s\n", status, context.message);
  return status;
}

static void drive_entries(const struct document_recorder *listed) {
  for (size_t one = 0; one < listed->count; ++one) {
    unsigned entries = 0;
    for (size_t other = 0; other < listed->count; ++other) {
      const struct copied_document *left = &listed->documents[one];
      const struct copied_document *right = &listed->documents[other];
      if (strcmp(left->skill, right->skill) != 0) continue;
      entries += (right->flags & SKH_DOC_ENTRY) ? 1 : 0;
      expect(one == other || strcmp(left->path, right->path) != 0, "a document is listed once",
             left);
    }
    expect(entries == 1, "a skill has exactly one entry", &listed->documents[one]);
  }
}

static void drive_changes(const skh_source *source, void *self, const char *snapshot) {
  if (!SKH_HAS(source, changes) || source->changes == NULL) return;
  struct document_recorder out = record_documents(SIZE_MAX);
  struct test_call context = begin_call(false);
  const skh_status status = source->changes(self, &context.call, text_of(snapshot), &out.sink);
  expect(status == SKH_OK || status == SKH_STALE,
         "changes() since the snapshot just listed succeed, or say that there is no history", NULL);
  expect(status != SKH_OK ||
             (out.count == 0 && out.done_calls == 1 && strcmp(out.snapshot, snapshot) == 0),
         "nothing has changed since the snapshot just listed", NULL);
  free_documents(&out);
  out = record_documents(SIZE_MAX);
  context = begin_call(false);
  expect(source->changes(self, &context.call, text_of("no such snapshot"), &out.sink) == SKH_STALE,
         "changes() since an unknown snapshot is SKH_STALE", NULL);
  free_documents(&out);
}

static void drive_source(const skh_source *source, void *self) {
  struct document_recorder listed = record_documents(SIZE_MAX);
  expect(list_once(source, self, &listed, false) == SKH_OK, "list() succeeds", NULL);
  expect(listed.done_calls == 1 && !listed.added_after_done, "done() comes once and last", NULL);
  expect(listed.count > 0, "something is served", NULL);
  drive_entries(&listed);
  for (size_t index = 0; index < listed.count; ++index)
    drive_document(source, self, &listed.documents[index]);

  struct document_recorder again = record_documents(SIZE_MAX);
  list_once(source, self, &again, false);
  expect(again.count == listed.count && again.snapshot != NULL && listed.snapshot != NULL &&
             strcmp(again.snapshot, listed.snapshot) == 0,
         "two lists of the same snapshot agree", NULL);
  free_documents(&again);

  for (size_t accepted = 0; accepted < listed.count; ++accepted) {
    struct document_recorder refusing = record_documents(accepted);
    expect(list_once(source, self, &refusing, false) == SKH_TOO_LARGE && !refusing.done_calls,
           "list() ends with the status of a refusing sink", NULL);
    free_documents(&refusing);
  }
  struct document_recorder unwanted = record_documents(SIZE_MAX);
  expect(list_once(source, self, &unwanted, true) == SKH_CANCELLED,
         "list() sees that it is cancelled", NULL);
  free_documents(&unwanted);
  if (listed.snapshot != NULL) drive_changes(source, self, listed.snapshot);
  free_documents(&listed);
}

/* Replaces the served file, asks for the changes, and prints them. */
static void drive_replacement(const skh_source *source, void *self, char **files) {
  struct document_recorder listed = record_documents(SIZE_MAX);
  struct document_recorder changed = record_documents(SIZE_MAX);
  struct test_call context = begin_call(false);
  expect(list_once(source, self, &listed, false) == SKH_OK, "list() succeeds", NULL);
  expect(rename(files[1], files[0]) == 0, "the file can be replaced", NULL);
  expect(source->changes(self, &context.call, text_of(listed.snapshot), &changed.sink) == SKH_OK,
         "changes() since the last list succeed", NULL);
  expect(changed.done_calls == 1 && strcmp(changed.snapshot, listed.snapshot) != 0,
         "changes() name a new snapshot", NULL);
  for (size_t index = 0; index < changed.count; ++index) {
    const struct copied_document *document = &changed.documents[index];
    const bool removed = (document->flags & SKH_DOC_REMOVED) != 0;
    printf("%s %s/%s\n", removed ? "removed" : "changed", document->skill, document->path);
    expect(try_read(source, self, name_of(document), SIZE_MAX, false) ==
               (removed ? SKH_NOT_FOUND : SKH_OK),
           "what changes() added can be read, what they removed cannot", document);
  }
  free_documents(&listed);
  free_documents(&changed);
}

/* `files` is NULL, or the file to replace and its replacement. */
static void drive_plugin(const skh_plugin *plugin, const char *config, char **files) {
  printf("%s %s (%s): %s\n", plugin->id, plugin->version, plugin->licence, plugin->summary);
  if (strcmp(plugin->kind, "skh.source/1") != 0) return;
  const skh_host host = {.size = sizeof host,
                         .abi_minor = SKH_ABI_MINOR,
                         .name = text_of("drive_source"),
                         .version = text_of("1"),
                         .instance = text_of("test"),
                         .config = text_of(config),
                         .log = &host_log,
                         .metric = &host_metric,
                         .changed = &host_changed,
                         .extension = &host_extension};
  struct test_call context = begin_call(false);
  void *self = NULL;
  if (plugin->create(&host, &context.call, &self) != SKH_OK) {
    expect(false, context.message, NULL);
    return;
  }
  drive_source(plugin->ops, self);
  if (files != NULL) drive_replacement(plugin->ops, self, files);
  plugin->destroy(self);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s PLUGIN.so [CONFIGURATION [FILE REPLACEMENT]]\n", argv[0]);
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0); /* in step with stderr */
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  const skh_entry *entry = dlsym(library, SKH_ENTRY_SYMBOL);
  if (entry == NULL || entry->magic != SKH_MAGIC || entry->size < sizeof *entry ||
      entry->needs_minor > SKH_ABI_MINOR) {
    fprintf(stderr, "%s: no entry this program can use\n", argv[1]);
    return 2;
  }
  for (const skh_plugin *const *plugin = entry->plugins; *plugin != NULL; ++plugin)
    drive_plugin(*plugin, argc > 2 ? argv[2] : "{}", argc > 4 ? argv + 3 : NULL);
  return broken_rules == 0 ? 0 : 1;
}
