/* SPDX-License-Identifier: Apache-2.0
 * Prints the layout of caller.h as print_layout.c does for plugin.h, in the lines that are frozen
 * in caller-1.layout. Add a new field or constant by hand, with its type; tests/abi compares the
 * lines.
 */
#include "layout.h"

#include <skillhost/caller.h>

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost interface %s, LP64\n", SKH_CALLER);
  ID(SKH_CALLER);
  STRUCT(skh_certificate);
  FIELD(skh_certificate, size, uint32_t);
  FIELD(skh_certificate, name_count, uint32_t);
  FIELD(skh_certificate, subject, skh_str);
  FIELD(skh_certificate, issuer, skh_str);
  FIELD(skh_certificate, names, const skh_str *);
  FIELD(skh_certificate, sha256, skh_str);
  FIELD(skh_certificate, expires_at, int64_t);
  STRUCT(skh_caller);
  FIELD(skh_caller, size, uint32_t);
  FIELD(skh_caller, header_count, uint32_t);
  FIELD(skh_caller, credential, const skh_credential *);
  FIELD(skh_caller, certificate, const skh_certificate *);
  FIELD(skh_caller, headers, const skh_str *);
  STRUCT(skh_callers);
  FIELD(skh_callers, size, uint32_t);
  FIELD(skh_callers, magic, uint32_t);
  FIELD(skh_callers, validate,
        skh_status(*)(void *, const skh_call *, const skh_caller *, const skh_principals *));
  CONSTANT(SKH_CALLER_MAGIC);
  return 0;
}
