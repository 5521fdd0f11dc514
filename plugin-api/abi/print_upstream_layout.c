/* SPDX-License-Identifier: Apache-2.0
 * Prints the layout of upstream.h, which upstream-1.layout keeps frozen. Add each new field here by
 * hand, with its type; tests/abi compares the lines.
 */
#include "layout.h"

#include <skillhost/upstream.h>

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost interface %s, LP64\n", SKH_UPSTREAM);
  ID(SKH_UPSTREAM);
  STRUCT(skh_readings);
  FIELD(skh_readings, size, uint32_t);
  FIELD(skh_readings, reserved, uint32_t);
  FIELD(skh_readings, add, skh_status(*)(const skh_readings *, size_t, skh_status, skh_str));
  STRUCT(skh_upstream);
  FIELD(skh_upstream, size, uint32_t);
  FIELD(skh_upstream, reserved, uint32_t);
  FIELD(skh_upstream, name, skh_str);
  FIELD(skh_upstream, list,
        skh_status(*)(const skh_upstream *, const skh_call *, const skh_documents *));
  FIELD(skh_upstream, changes,
        skh_status(*)(const skh_upstream *, const skh_call *, skh_str, const skh_documents *));
  FIELD(skh_upstream, read,
        skh_status(*)(const skh_upstream *, const skh_call *, const skh_document *,
                      const skh_bytes *));
  FIELD(skh_upstream, read_each,
        skh_status(*)(const skh_upstream *, const skh_call *, const skh_document *const *, size_t,
                      const skh_readings *));
  FIELD(skh_upstream, facts,
        skh_status(*)(const skh_upstream *, const skh_call *, skh_str, const skh_bytes *));
  return 0;
}
