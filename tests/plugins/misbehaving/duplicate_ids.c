/* SPDX-License-Identifier: Apache-2.0
 * Two plugins have one id, so the id would be ambiguous.
 */
#include "misbehaving.h"

static const skh_plugin first =
    HELLO_PLUGIN("skh.source/1", "test.misbehaving.duplicate_ids", &hello_source, &hello_create);
static const skh_plugin second =
    HELLO_PLUGIN("skh.source/1", "test.misbehaving.duplicate_ids", &hello_source, &hello_create);
static const skh_plugin *const plugins[] = {&first, &second, NULL};
const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
