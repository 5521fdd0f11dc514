/* SPDX-License-Identifier: Apache-2.0
 * Prints the layout of held.h as print_layout.c does for plugin.h, in the lines that are frozen in
 * held-1.layout. Add a new field or constant by hand, with its type; tests/abi compares the lines.
 */
#include "layout.h"

#include <skillhost/held.h>

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost interface %s, LP64\n", SKH_HELD);
  ID(SKH_HELD);
  STRUCT(skh_held_entries);
  FIELD(skh_held_entries, size, uint32_t);
  FIELD(skh_held_entries, reserved, uint32_t);
  FIELD(skh_held_entries, add, skh_status(*)(const skh_held_entries *, skh_str, skh_str));
  STRUCT(skh_held);
  FIELD(skh_held, size, uint32_t);
  FIELD(skh_held, magic, uint32_t);
  FIELD(skh_held, held, skh_status(*)(void *, const skh_call *, const skh_held_entries *));
  CONSTANT(SKH_HELD_MAGIC);
  return 0;
}
