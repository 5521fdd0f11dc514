/* SPDX-License-Identifier: Apache-2.0
 * list() works for one second without ever asking whether its result is still wanted. The host must
 * answer the caller at the deadline all the same; the thread returns later.
 */
#define _POSIX_C_SOURCE 200809L
#include "misbehaving.h"

#include <time.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  (void)self;
  (void)call;
  const int64_t end = now() + 1000000000;
  while (now() < end) {
    const struct timespec step = {0, 1000000};
    nanosleep(&step, NULL);
  }
  skh_document entry = {sizeof entry, SKH_DOC_ENTRY, {0}, {0}, {0}, sizeof HELLO_TEXT - 1, {0}};
  entry.skill = text_of("hello");
  entry.path = text_of("SKILL.md");
  entry.revision = text_of("1");
  out->add(out, &entry);
  return out->done(out, text_of("1"));
}

MISBEHAVING_SOURCE("ignores_cancel", &list, &hello_read);
