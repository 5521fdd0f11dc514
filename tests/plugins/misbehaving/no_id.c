/* SPDX-License-Identifier: Apache-2.0
 * Its plugin has no id, so no configuration can name it.
 */
#include "misbehaving.h"

static const skh_plugin plugin = HELLO_PLUGIN("skh.source/1", NULL, &hello_source, &hello_create);
static const skh_plugin *const plugins[] = {&plugin, NULL};
const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
