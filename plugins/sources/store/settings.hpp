// SPDX-License-Identifier: Apache-2.0
// The configuration of an instance, including the content of the files that it names.
#pragma once

#include "store/trust.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace skillhost::store_source {

struct Settings {
  // Throws skh::Error(SKH_INVALID) that names the key, if the configuration is invalid.
  explicit Settings(std::string_view configuration);

  std::string directory; // absolute
  store::Trust trust;
  std::chrono::milliseconds pollInterval{5'000};
};

} // namespace skillhost::store_source
