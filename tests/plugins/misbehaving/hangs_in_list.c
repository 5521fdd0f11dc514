/* SPDX-License-Identifier: Apache-2.0
 * list() never returns and checks nothing. The host must answer the caller at the deadline; the
 * thread is lost, and the process that runs it is ended.
 */
#define _POSIX_C_SOURCE 200809L
#include "misbehaving.h"

#include <unistd.h>

static skh_status list(void *self, const skh_call *call, const skh_documents *out) {
  (void)self;
  (void)call;
  (void)out;
  while (pause() != 0) {}
  return SKH_FAILED;
}

MISBEHAVING_SOURCE("hangs_in_list", &list, &hello_read);
