// SPDX-License-Identifier: Apache-2.0
// The configuration of an instance, with what its files say.
#pragma once

#include "store/trust.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace skillhost::store_source {

struct Settings {
  // Throws skh::Error(SKH_INVALID), which names the key, for a configuration it cannot use.
  explicit Settings(std::string_view configuration);

  std::string directory; // absolute
  store::Trust trust;
  std::chrono::milliseconds pollInterval{5'000};
};

} // namespace skillhost::store_source
