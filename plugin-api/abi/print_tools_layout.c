/* SPDX-License-Identifier: Apache-2.0
 * Prints the layout of tools.h as print_layout.c does for plugin.h, in the lines that are frozen in
 * tools-1.layout. Add a new field or constant by hand, with its type; tests/abi compares the lines.
 */
#include "layout.h"

#include <skillhost/tools.h>

int main(void) {
  _Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the frozen layouts are LP64");
  printf("# skillhost plugin kind %s, LP64\n", SKH_TOOLS_KIND);
  STRUCT(skh_exchange);
  FIELD(skh_exchange, size, uint32_t);
  FIELD(skh_exchange, flags, uint32_t);
  FIELD(skh_exchange, client_capabilities_json, skh_str);
  FIELD(skh_exchange, input_responses_json, skh_str);
  FIELD(skh_exchange, request_state, skh_str);
  FIELD(skh_exchange, log, skh_status(*)(const skh_exchange *, int32_t, skh_str, skh_str));
  FIELD(skh_exchange, ask,
        skh_status(*)(const skh_exchange *, skh_str, skh_str, const skh_bytes *));
  FIELD(skh_exchange, issuer, skh_str);
  FIELD(skh_exchange, subject, skh_str);
  FIELD(skh_exchange, caller, uint32_t);
  FIELD(skh_exchange, reserved, uint32_t);
  STRUCT(skh_completion);
  FIELD(skh_completion, size, uint32_t);
  FIELD(skh_completion, reserved, uint32_t);
  FIELD(skh_completion, reference, skh_str);
  FIELD(skh_completion, argument, skh_str);
  FIELD(skh_completion, value, skh_str);
  FIELD(skh_completion, context_json, skh_str);
  STRUCT(skh_tools);
  FIELD(skh_tools, size, uint32_t);
  FIELD(skh_tools, reserved, uint32_t);
  FIELD(skh_tools, list, skh_status(*)(void *, const skh_call *, const skh_bytes *));
  FIELD(skh_tools, call_tool,
        skh_status(*)(void *, const skh_call *, const skh_exchange *, skh_str, skh_str,
                      const skh_bytes *));
  FIELD(skh_tools, get_prompt,
        skh_status(*)(void *, const skh_call *, const skh_exchange *, skh_str, skh_str,
                      const skh_bytes *));
  FIELD(skh_tools, read_resource,
        skh_status(*)(void *, const skh_call *, const skh_exchange *, skh_str, const skh_bytes *));
  FIELD(skh_tools, complete,
        skh_status(*)(void *, const skh_call *, const skh_completion *, const skh_bytes *));
  CONSTANT(SKH_MAY_ASK);
  CONSTANT(SKH_MAY_REQUIRE_INPUT);
  CONSTANT(SKH_CALLER_READS);
  CONSTANT(SKH_CALLER_MANAGES);
  CONSTANT(SKH_CALLER_REVIEWS);
  CONSTANT(SKH_CALLER_SEES_ALL);
  return 0;
}
