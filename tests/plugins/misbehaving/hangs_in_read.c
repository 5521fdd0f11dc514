/* SPDX-License-Identifier: Apache-2.0
 * read() of a listed document never returns and checks nothing. The host must answer the caller at
 * the deadline, and listing must go on working.
 */
#define _POSIX_C_SOURCE 200809L
#include "misbehaving.h"

#include <unistd.h>

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  (void)self;
  (void)call;
  (void)which;
  (void)out;
  while (pause() != 0) {}
  return SKH_FAILED;
}

MISBEHAVING_SOURCE("hangs_in_read", &hello_list, &read_document);
