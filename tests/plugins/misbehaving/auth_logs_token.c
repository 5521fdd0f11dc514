/* SPDX-License-Identifier: Apache-2.0
 * Writes the token into the log. The host must mask it.
 */
#include "small_auth.h"

static const skh_host *lender;

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  lender = host;
  return hello_create(host, call, self);
}

static skh_status validate(void *self, const skh_call *call, const skh_credential *credential,
                           const skh_principals *out) {
  lender->log(lender, SKH_DEBUG, credential->value);
  return small_validate(self, call, credential, out);
}

MISBEHAVING_AUTH("auth_logs_token", 0, &small_check, &validate, &create);
