/* SPDX-License-Identifier: Apache-2.0
 * Refers to a function that exists nowhere: the loader must name it when the file is loaded.
 */
#include "one_skill.h"

void skh_test_function_that_exists_nowhere(void);

static skh_status create(const skh_host *host, const skh_call *call, void **self) {
  skh_test_function_that_exists_nowhere();
  return hello_create(host, call, self);
}

static const skh_plugin plugin =
    HELLO_PLUGIN("skh.source/1", "test.undefined_symbol", &hello_source, &create);
static const skh_plugin *const plugins[] = {&plugin, NULL};
const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
