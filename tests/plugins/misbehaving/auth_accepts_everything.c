/* SPDX-License-Identifier: Apache-2.0
 * Accepts every token. No host can notice that, so `skillhost check` tries it.
 */
#include "small_auth.h"

static skh_status validate(void *self, const skh_call *call, const skh_credential *credential,
                           const skh_principals *out) {
  (void)self;
  (void)call;
  (void)credential;
  return small_accept(out);
}

MISBEHAVING_AUTH("auth_accepts_everything", 0, &small_check, &validate, &hello_create);
