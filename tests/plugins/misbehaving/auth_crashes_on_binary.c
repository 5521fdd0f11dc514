/* SPDX-License-Identifier: Apache-2.0
 * Aborts on a token with a zero byte. A crash is a refusal, never an open door.
 */
#include "small_auth.h"

#include <stdlib.h>

static skh_status validate(void *self, const skh_call *call, const skh_credential *credential,
                           const skh_principals *out) {
  if (credential->value.size != 0 && memchr(credential->value.data, 0, credential->value.size))
    abort();
  return small_validate(self, call, credential, out);
}

MISBEHAVING_AUTH("auth_crashes_on_binary", 0, &small_check, &validate, &hello_create);
