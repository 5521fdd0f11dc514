/* SPDX-License-Identifier: Apache-2.0
 * Requires a host that implements minor 99: the host must refuse it with the reason, and not call
 * it.
 */
#include "one_skill.h"

static const skh_plugin plugin =
    HELLO_PLUGIN("skh.source/1", "test.newer_abi", &hello_source, &hello_create);
static const skh_plugin *const plugins[] = {&plugin, NULL};
const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), 99, 99, plugins};
