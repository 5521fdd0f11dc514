// SPDX-License-Identifier: Apache-2.0
// Crashes when it is loaded, so a process that only examines it must not be the host's.
#include <skillhost/plugin.h>

#include <cstdlib>

namespace {
const struct Trap {
  Trap() { std::abort(); }
} trap;
} // namespace

extern "C" SKH_EXPORT const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry),
                                                             SKH_ABI_MINOR, 0, nullptr};
