/* SPDX-License-Identifier: Apache-2.0
 * One of two plugins that differ only in CODE, the name of the running code. Tests exchange one for
 * the other.
 */
#include "one_skill.h"

#include <unistd.h>

__attribute__((constructor)) static void construct(void) {
  static const char text[] = "the code of " CODE " runs\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(1);
}

static const skh_plugin plugin =
    HELLO_PLUGIN("skh.source/1", "test.swapped", &hello_source, &hello_create);
static const skh_plugin *const plugins[] = {&plugin, NULL};
const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry), SKH_ABI_MINOR, 0, plugins};
