/* SPDX-License-Identifier: Apache-2.0
 * list() fails with a text that would look like other lines of `skillhost check`, and would clear
 * the terminal.
 */
#include "misbehaving.h"

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  (void)self, (void)out;
  if (call->cancelled(call)) return SKH_CANCELLED;
  call->fail(call, text_of("one\nread ok as usual\n\x1b[2J"));
  return SKH_UNAVAILABLE;
}

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  host->log(host, SKH_WARN, text_of("one\nread(): SKH_OK\x1b[2J"));
  return hello_create(host, call, self);
}

static const skh_source source = {sizeof(skh_source), 0, &list, &hello_read, NULL};
MISBEHAVING("skh.source/1", "forges_lines", NULL, &source, &create, &hello_destroy, NULL);
