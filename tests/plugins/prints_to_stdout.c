/* SPDX-License-Identifier: Apache-2.0
 * Prints to standard output, which on stdio belongs to the protocol alone.
 */
#include "one_skill.h"

#include <stdio.h>

static skh_status chatty_list(void *self, const skh_call *call, const skh_documents *out) {
  printf("prints_to_stdout: list\n");
  fflush(stdout);
  return hello_list(self, call, out);
}

static skh_status chatty_create(const skh_host *host, const skh_call *call, void **self) {
  printf("prints_to_stdout: create\n");
  fflush(stdout);
  return hello_create(host, call, self);
}

static const skh_source chatty_source = {sizeof(skh_source), 0, &chatty_list, &hello_read, NULL};
static const skh_plugin plugin =
    HELLO_PLUGIN("skh.source/1", "test.prints_to_stdout", &chatty_source, &chatty_create);
static const skh_plugin *const plugins[] = {&plugin, NULL};
const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
