/* SPDX-License-Identifier: Apache-2.0 */
#include "recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *old, size_t size) {
  void *memory = realloc(old, size);
  if (memory == NULL) abort();
  return memory;
}

char *copy_text(skh_str text) {
  char *copy = grown(NULL, text.size + 1);
  if (text.size > 0) memcpy(copy, text.data, text.size);
  copy[text.size] = '\0';
  return copy;
}

/* The sinks are const for the plugin; here they are known to belong to a recorder. */
static struct document_recorder *documents_of(const skh_documents *sink) {
  return (struct document_recorder *)(uintptr_t)sink;
}

static skh_status add(const skh_documents *sink, const skh_document *document) {
  struct document_recorder *recorder = documents_of(sink);
  if (recorder->snapshot != NULL) recorder->added_after_done = true;
  if (recorder->count >= recorder->refuse_after) return SKH_TOO_LARGE;
  if (recorder->count == recorder->room) {
    recorder->room = 2 * recorder->room + 8;
    recorder->documents = grown(recorder->documents, recorder->room * sizeof *recorder->documents);
  }
  struct copied_document *copy = &recorder->documents[recorder->count++];
  copy->skill = copy_text(document->skill);
  copy->path = copy_text(document->path);
  copy->revision = copy_text(document->revision);
  copy->length = document->length;
  copy->flags = document->flags;
  return SKH_OK;
}

static skh_status done(const skh_documents *sink, skh_str snapshot) {
  struct document_recorder *recorder = documents_of(sink);
  free(recorder->snapshot);
  recorder->snapshot = copy_text(snapshot);
  ++recorder->done_calls;
  return SKH_OK;
}

static skh_status write_bytes(const skh_bytes *sink, const void *data, size_t size) {
  struct byte_recorder *recorder = (struct byte_recorder *)(uintptr_t)sink;
  if (size > recorder->limit - recorder->size) return SKH_TOO_LARGE;
  recorder->data = grown(recorder->data, recorder->size + size + 1);
  if (size > 0) memcpy(recorder->data + recorder->size, data, size);
  recorder->size += size;
  return SKH_OK;
}

static int32_t cancelled(const skh_call *call) {
  return ((const struct test_call *)call)->cancelled;
}

static void progress(const skh_call *call, uint64_t steps, uint64_t total, skh_str what) {
  (void)call, (void)steps, (void)total, (void)what;
}

static void fail(const skh_call *call, skh_str message) {
  struct test_call *context = (struct test_call *)(uintptr_t)call;
  snprintf(context->message, sizeof context->message, "%.*s", (int)message.size, message.data);
}

struct document_recorder record_documents(size_t refuse_after) {
  const struct document_recorder recorder = {.sink = {sizeof recorder.sink, 0, &add, &done},
                                             .refuse_after = refuse_after};
  return recorder;
}

struct byte_recorder record_bytes(size_t limit) {
  const struct byte_recorder recorder = {.sink = {sizeof recorder.sink, 0, &write_bytes},
                                         .limit = limit};
  return recorder;
}

struct test_call begin_call(bool is_cancelled) {
  const struct test_call context = {
      .call = {sizeof context.call, 0, INT64_MAX, &cancelled, &progress, &fail},
      .cancelled = is_cancelled};
  return context;
}

void free_documents(struct document_recorder *recorder) {
  for (size_t index = 0; index < recorder->count; ++index) {
    free(recorder->documents[index].skill);
    free(recorder->documents[index].path);
    free(recorder->documents[index].revision);
  }
  free(recorder->documents);
  free(recorder->snapshot);
}

void free_bytes(struct byte_recorder *recorder) { free(recorder->data); }
