/* SPDX-License-Identifier: Apache-2.0
 * read() prints to standard output, which on stdio belongs to the protocol alone. None of it may
 * reach the client. (prints_to_stdout.c beside this folder prints earlier, in create and list.)
 */
#include "misbehaving.h"

#include <stdio.h>

static skh_status read_document(void *self, const skh_call *call, const skh_document *which,
                                const skh_bytes *out) {
  printf("{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}\n");
  fflush(stdout);
  return hello_read(self, call, which, out);
}

MISBEHAVING_SOURCE("prints_to_stdout", &hello_list, &read_document);
