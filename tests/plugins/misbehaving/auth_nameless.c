/* SPDX-License-Identifier: Apache-2.0
 * It names the owner of the good token without a subject, and returns what accept() returns.
 */
#include "small_auth.h"

static skh_status validate(void *self, const skh_call *call, const skh_credential *credential,
                           const skh_principals *out) {
  const skh_principal nobody = {sizeof nobody, 0, NULL, {0}, {0}, {0}, 0, 0, 0};
  if (same_text(credential->value, "good-token")) return out->accept(out, &nobody);
  return small_validate(self, call, credential, out);
}

MISBEHAVING_AUTH("auth_nameless", 0, &small_check, &validate, &hello_create);
