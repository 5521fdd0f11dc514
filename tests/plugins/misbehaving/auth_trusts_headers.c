/* SPDX-License-Identifier: Apache-2.0
 * Knows its tokens, and accepts every caller who sends any header field.
 */
#include "small_auth.h"

#include <skillhost/caller.h>

#include <string.h>

static skh_status of_caller(void *self, const skh_call *call, const skh_caller *caller,
                            const skh_principals *out) {
  (void)self;
  (void)call;
  return caller->header_count > 0 ? small_accept(out) : SKH_UNSUPPORTED;
}

static const void *extension(void *self, const char *id) {
  static const skh_callers callers = {sizeof(skh_callers), SKH_CALLER_MAGIC, &of_caller};
  (void)self;
  return strcmp(id, SKH_CALLER) == 0 ? &callers : NULL;
}

MISBEHAVING_AUTH_WITH("auth_trusts_headers", 0, &small_check, &small_validate, &hello_create,
                      &extension);
