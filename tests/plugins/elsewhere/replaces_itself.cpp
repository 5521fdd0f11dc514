// SPDX-License-Identifier: Apache-2.0
// Moves the file that SKILLHOST_TEST_REPLACED names, which is its own, away while it is loaded.
#include <skillhost/plugin.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {
const struct Mover {
  Mover() {
    const char *const file = std::getenv("SKILLHOST_TEST_REPLACED");
    if (file != nullptr) std::rename(file, (std::string(file) + ".moved").c_str());
  }
} mover;
} // namespace

extern "C" SKH_EXPORT const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry),
                                                             SKH_ABI_MINOR, 0, nullptr};
