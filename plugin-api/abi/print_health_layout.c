/* SPDX-License-Identifier: Apache-2.0
 * Prints the layout of health.h as print_layout.c does for plugin.h, in the lines that are frozen
 * in health-1.layout. Add a new field or constant by hand, with its type; tests/abi compares the
 * lines.
 */
#include "layout.h"

#include <skillhost/health.h>

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost interface %s, LP64\n", SKH_HEALTH);
  ID(SKH_HEALTH);
  STRUCT(skh_health);
  FIELD(skh_health, size, uint32_t);
  FIELD(skh_health, reserved, uint32_t);
  FIELD(skh_health, tell, void (*)(const skh_health *, int32_t, skh_str));
  CONSTANT(SKH_HEALTHY);
  CONSTANT(SKH_STARTING);
  CONSTANT(SKH_DEGRADED);
  return 0;
}
