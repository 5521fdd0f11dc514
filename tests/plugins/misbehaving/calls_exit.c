/* SPDX-License-Identifier: Apache-2.0
 * read() ends the process with exit code 0, as a library does that believes that it owns the
 * program.
 */
#include "misbehaving.h"

#include <stdlib.h>

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  (void)self;
  (void)call;
  (void)which;
  (void)out;
  exit(0);
}

MISBEHAVING_SOURCE("calls_exit", &hello_list, &read_document);
