/* SPDX-License-Identifier: Apache-2.0
 * Returns SKH_OK for a wrong token without a principal, which is a refusal.
 */
#include "small_auth.h"

static skh_status validate(void *self, const skh_call *call, const skh_credential *credential,
                           const skh_principals *out) {
  const skh_status status = small_validate(self, call, credential, out);
  return status == SKH_DENIED ? SKH_OK : status;
}

MISBEHAVING_AUTH("auth_ok_without_accept", 0, &small_check, &validate, &hello_create);
