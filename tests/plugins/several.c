/* SPDX-License-Identifier: Apache-2.0
 * Three plugins in one file, the second of a kind that no host knows: a host must still find the
 * other two.
 */
#include "one_skill.h"

static const skh_plugin first =
    HELLO_PLUGIN("skh.source/1", "test.several.first", &hello_source, &hello_create);
static const skh_plugin unknown =
    HELLO_PLUGIN("skh.teapot/1", "test.several.unknown", NULL, &hello_create);
static const skh_plugin last =
    HELLO_PLUGIN("skh.source/1", "test.several.last", &hello_source, &hello_create);
static const skh_plugin *const plugins[] = {&first, &unknown, &last, NULL};
const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
