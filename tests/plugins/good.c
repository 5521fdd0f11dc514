/* SPDX-License-Identifier: Apache-2.0
 * A plugin without a fault, for comparison with the other fixtures.
 */
#include "one_skill.h"

static const skh_plugin plugin =
    HELLO_PLUGIN("skh.source/1", "test.good", &hello_source, &hello_create);
static const skh_plugin *const plugins[] = {&plugin, NULL};
const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
