/* SPDX-License-Identifier: Apache-2.0
 * Prints the layout of pin.h as print_layout.c does for plugin.h, in the lines that are frozen in
 * pin-1.layout. Add a new field or constant by hand, with its type; tests/abi compares the lines.
 */
#include "layout.h"

#include <skillhost/pin.h>

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost interface %s, LP64\n", SKH_PIN);
  ID(SKH_PIN);
  STRUCT(skh_pin);
  FIELD(skh_pin, size, uint32_t);
  FIELD(skh_pin, mode, int32_t);
  FIELD(skh_pin, snapshot, skh_str);
  CONSTANT(SKH_PIN_FREE);
  CONSTANT(SKH_PIN_SNAPSHOT);
  CONSTANT(SKH_PIN_NEWEST);
  return 0;
}
