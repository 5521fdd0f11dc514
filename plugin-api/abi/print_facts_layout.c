/* SPDX-License-Identifier: Apache-2.0
 * The same for facts.h: the lines that are frozen in facts-1.layout. A new field or constant is
 * added here by hand, with its type; tests/abi compares.
 */
#include "layout.h"

#include <skillhost/facts.h>

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost interface %s, LP64\n", SKH_FACTS);
  ID(SKH_FACTS);
  STRUCT(skh_facts);
  FIELD(skh_facts, size, uint32_t);
  FIELD(skh_facts, magic, uint32_t);
  FIELD(skh_facts, facts, skh_status(*)(void *, const skh_call *, skh_str, const skh_bytes *));
  CONSTANT(SKH_FACTS_MAGIC);
  return 0;
}
