/* SPDX-License-Identifier: Apache-2.0
 * Prints the token to standard error, where no host can mask it in time.
 */
#include "small_auth.h"

#include <stdio.h>

static skh_status validate(void *self, const skh_call *call, const skh_credential *credential,
                           const skh_principals *out) {
  if (credential->value.size < 100)
    fprintf(stderr, "token %.*s\n", (int)credential->value.size, credential->value.data);
  return small_validate(self, call, credential, out);
}

MISBEHAVING_AUTH("auth_prints_token", 0, &small_check, &validate, &hello_create);
