// SPDX-License-Identifier: Apache-2.0
// How one skill is put into a store.
#pragma once

#include <cstddef>
#include <string>

namespace skillhost::app {

struct SavingSettings {
  std::string directory; // of the store, absolute
  std::string keyFile;   // its key, absolute; empty: none
  std::size_t keep = 1;  // versions, with the new one
  bool compress = false;
};

} // namespace skillhost::app
