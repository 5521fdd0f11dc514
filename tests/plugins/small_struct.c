/* SPDX-License-Identifier: Apache-2.0
 * Its table ends before `changes`, like one compiled with an older header. The memory behind the
 * announced size is no field: a host that forgets SKH_HAS() calls the trap.
 */
#include "one_skill.h"

static skh_status trap(void *self, const skh_call *call, skh_str since, const skh_documents *out) {
  (void)self;
  (void)since;
  (void)out;
  call->fail(call, text_of("changes() was called although the table's size excludes it"));
  return SKH_CORRUPT;
}

static const skh_source small_source = {offsetof(skh_source, changes), 0, &hello_list, &hello_read,
                                        &trap};
static const skh_plugin plugin =
    HELLO_PLUGIN("skh.source/1", "test.small_struct", &small_source, &hello_create);
static const skh_plugin *const plugins[] = {&plugin, NULL};
const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
