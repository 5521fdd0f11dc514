/* SPDX-License-Identifier: Apache-2.0
 * Prints the layout of explain.h as print_layout.c does for plugin.h, in the lines that are frozen
 * in explain-1.layout. Add a new field or constant by hand, with its type; tests/abi compares the
 * lines.
 */
#include "layout.h"

#include <skillhost/explain.h>

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost interface %s, LP64\n", SKH_EXPLAIN);
  ID(SKH_EXPLAIN);
  STRUCT(skh_explain);
  FIELD(skh_explain, size, uint32_t);
  FIELD(skh_explain, magic, uint32_t);
  FIELD(skh_explain, explain,
        skh_status(*)(void *, const skh_call *, skh_str, skh_str, const skh_bytes *));
  FIELD(skh_explain, settle, skh_status(*)(void *, const skh_call *, const skh_bytes *));
  CONSTANT(SKH_EXPLAIN_MAGIC);
  return 0;
}
