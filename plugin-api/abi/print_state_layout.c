/* SPDX-License-Identifier: Apache-2.0
 * Prints the layout of state.h as print_layout.c does for plugin.h, in the lines that are frozen in
 * state-1.layout. Add a new field or constant by hand, with its type; tests/abi compares the lines.
 */
#include "layout.h"

#include <skillhost/state.h>

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost plugin kind %s, LP64\n", SKH_STATE_KIND);
  STRUCT(skh_message);
  FIELD(skh_message, size, uint32_t);
  FIELD(skh_message, flags, uint32_t);
  FIELD(skh_message, channel, skh_str);
  FIELD(skh_message, payload, skh_str);
  STRUCT(skh_messages);
  FIELD(skh_messages, size, uint32_t);
  FIELD(skh_messages, reserved, uint32_t);
  FIELD(skh_messages, add, skh_status(*)(const skh_messages *, const skh_message *));
  STRUCT(skh_state);
  FIELD(skh_state, size, uint32_t);
  FIELD(skh_state, reserved, uint32_t);
  FIELD(skh_state, check, skh_status(*)(void *, const skh_call *));
  FIELD(skh_state, get,
        skh_status(*)(void *, const skh_call *, skh_str, uint64_t, const skh_bytes *));
  FIELD(skh_state, put, skh_status(*)(void *, const skh_call *, skh_str, skh_str, uint64_t));
  FIELD(skh_state, compare_and_set,
        skh_status(*)(void *, const skh_call *, skh_str, const skh_str *, skh_str, uint64_t));
  FIELD(skh_state, erase, skh_status(*)(void *, const skh_call *, skh_str, const skh_str *));
  FIELD(skh_state, add,
        skh_status(*)(void *, const skh_call *, skh_str, int64_t, uint64_t, const skh_bytes *));
  FIELD(skh_state, publish, skh_status(*)(void *, const skh_call *, skh_str, skh_str));
  FIELD(skh_state, subscribe, skh_status(*)(void *, const skh_call *, skh_str));
  FIELD(skh_state, unsubscribe, skh_status(*)(void *, const skh_call *, skh_str));
  FIELD(skh_state, receive, skh_status(*)(void *, const skh_call *, const skh_messages *));
  CONSTANT(SKH_MESSAGES_LOST);
  return 0;
}
