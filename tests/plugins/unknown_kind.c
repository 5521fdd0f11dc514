/* SPDX-License-Identifier: Apache-2.0
 * Has a kind that no host knows. A host skips it without a complaint about the file, and never
 * calls create().
 */
#include "one_skill.h"

#include <stdlib.h>

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  (void)host;
  (void)call;
  (void)self;
  abort();
}

static const skh_plugin plugin = HELLO_PLUGIN("skh.teapot/1", "test.unknown_kind", NULL, &create);
static const skh_plugin *const plugins[] = {&plugin, NULL};
const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
