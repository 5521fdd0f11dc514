/* SPDX-License-Identifier: Apache-2.0
 * The common part of most fixtures: a well-behaved source of one skill, "hello". A fixture includes
 * it, gets one thing wrong and leaves the rest right.
 */
#pragma once

#include <skillhost/plugin.h>

#include <string.h>

#define HELLO_TEXT "---\nname: hello\ndescription: Says hello.\n---\n# Hello\n"

static inline skh_str text_of(const char *text) {
  const skh_str view = {text, strlen(text)};
  return view;
}

static inline int same_text(skh_str left, const char *right) {
  return left.size == strlen(right) && memcmp(left.data, right, left.size) == 0;
}

static inline skh_status hello_list(void *self, const skh_call *call, const skh_documents *out) {
  skh_document entry = {sizeof entry, SKH_DOC_ENTRY, {0}, {0}, {0}, sizeof HELLO_TEXT - 1, {0}};
  (void)self;
  if (call->cancelled(call)) return SKH_CANCELLED;
  entry.skill = text_of("hello");
  entry.path = text_of("SKILL.md");
  entry.revision = text_of("1");
  const skh_status status = out->add(out, &entry);
  return status < 0 ? status : out->done(out, text_of("1"));
}

static inline skh_status hello_read(void *self, const skh_call *call, const skh_document *which,
                                    const skh_bytes *out) {
  (void)self;
  if (call->cancelled(call)) return SKH_CANCELLED;
  if (!same_text(which->skill, "hello") || !same_text(which->path, "SKILL.md"))
    return SKH_NOT_FOUND;
  if (!same_text(which->revision, "1")) return SKH_STALE;
  return out->write(out, HELLO_TEXT, sizeof HELLO_TEXT - 1);
}

static inline skh_status hello_create(const skh_host *host, const skh_call *call, void **self) {
  static char instance;
  (void)host;
  (void)call;
  *self = &instance;
  return SKH_OK;
}

static inline void hello_destroy(void *self) { (void)self; }

static const skh_source hello_source = {sizeof(skh_source), 0, &hello_list, &hello_read, NULL};

/* Makes a description; only kind, id and create differ between fixtures. */
#define HELLO_PLUGIN(kind, id, ops, create)                                                        \
  {sizeof(skh_plugin), 0,    kind, id,     "1.0.0",        "One skill, for tests",                 \
   "Apache-2.0",       NULL, ops,  create, &hello_destroy, NULL}
