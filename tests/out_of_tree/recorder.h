/* SPDX-License-Identifier: Apache-2.0
 * The smallest possible host's side of a call: sinks that copy everything that a source hands over,
 * and refuse on request. The copies are freed with the recorder.
 */
#pragma once

#include <skillhost/plugin.h>

#include <stdbool.h>

struct copied_document {
  char *skill, *path, *revision; /* terminated copies */
  uint64_t length;
  uint32_t flags;
};

/* Receives list() and changes(). `sink` comes first, so that the source's pointer to it leads
 * back here. */
struct document_recorder {
  skh_documents sink;
  struct copied_document *documents;
  size_t count, room;
  char *snapshot;      /* NULL until done() */
  unsigned done_calls; /* how often done() came */
  bool added_after_done;
  size_t refuse_after; /* add() is refused from here on; SIZE_MAX: never */
};

/* Receives read(). */
struct byte_recorder {
  skh_bytes sink;
  char *data;
  size_t size;
  size_t limit; /* a write beyond it is refused with SKH_TOO_LARGE; SIZE_MAX: never */
};

/* Stands for the host's call context. */
struct test_call {
  skh_call call;
  int32_t cancelled;
  char message[256]; /* the last given to fail() */
};

struct document_recorder record_documents(size_t refuse_after);
struct byte_recorder record_bytes(size_t limit);
struct test_call begin_call(bool cancelled);
void free_documents(struct document_recorder *recorder);
void free_bytes(struct byte_recorder *recorder);

/* Returns a terminated copy; ends the program if there is no memory. */
char *copy_text(skh_str text);
