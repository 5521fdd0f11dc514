/* SPDX-License-Identifier: Apache-2.0
 * Puts the token into the message of fail(). The host must mask it.
 */
#include "small_auth.h"

static skh_status validate(void *self, const skh_call *call, const skh_credential *credential,
                           const skh_principals *out) {
  const skh_status status = small_validate(self, call, credential, out);
  if (status != SKH_OK) call->fail(call, credential->value);
  return status;
}

MISBEHAVING_AUTH("auth_repeats_token", 0, &small_check, &validate, &hello_create);
