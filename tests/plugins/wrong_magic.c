/* SPDX-License-Identifier: Apache-2.0
 * The entry does not begin with SKH_MAGIC: it may be anything, so a host must not use any of it.
 */
#include "one_skill.h"

static const skh_plugin plugin =
    HELLO_PLUGIN("skh.source/1", "test.wrong_magic", &hello_source, &hello_create);
static const skh_plugin *const plugins[] = {&plugin, NULL};
const skh_entry skh_plugin_entry_v1 = {0x21444142u, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
