/* SPDX-License-Identifier: Apache-2.0
 * list() names four million documents without regard to the sink's refusals. The host must keep no
 * more than its limit, and call the listing too large.
 */
#include "misbehaving.h"

#include <stdio.h>

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  (void)self;
  (void)call;
  for (int number = 0; number < 4000000; ++number) {
    char path[32];
    snprintf(path, sizeof path, "file-%d.md", number);
    skh_document one = {sizeof one, 0, {0}, {0}, {0}, 1, {0}};
    one.skill = text_of("hello");
    one.path = text_of(number == 0 ? "SKILL.md" : path);
    one.revision = text_of("1");
    if (number == 0) one.flags = SKH_DOC_ENTRY;
    out->add(out, &one);
  }
  return out->done(out, text_of("1"));
}

MISBEHAVING_SOURCE("floods_list", &list, &hello_read);
