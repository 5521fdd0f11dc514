/* SPDX-License-Identifier: Apache-2.0
 * Prints the layout of facts.h as print_layout.c does for plugin.h, in the lines that are frozen in
 * facts-1.layout. Add a new field or constant by hand, with its type; tests/abi compares the lines.
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
