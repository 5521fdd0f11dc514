/* SPDX-License-Identifier: Apache-2.0
 * Fails when two calls overlap, and does not set SKH_SERIAL, which would prevent it.
 */
#define _POSIX_C_SOURCE 200809L
#include "misbehaving.h"

#include <sched.h>
#include <stdatomic.h>

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  static atomic_int inside;
  if (atomic_fetch_add(&inside, 1) != 0) {
    atomic_fetch_sub(&inside, 1);
    call->fail(call, text_of("called while another call is being worked on"));
    return SKH_FAILED;
  }
  /* Under load 50 turns may take longer than a cancelled call may. */
  for (int i = 0; i < 50 && !call->cancelled(call); ++i) sched_yield();
  const skh_status status = hello_read(self, call, which, out);
  atomic_fetch_sub(&inside, 1);
  return status;
}

MISBEHAVING_SOURCE("not_reentrant", &hello_list, &read_document);
