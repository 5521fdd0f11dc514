// SPDX-License-Identifier: Apache-2.0
// Describes a plugin without its code: its descriptor, copied.
#pragma once

#include <skillhost/plugin.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

struct PluginFacts {
  std::string kind, id, version, summary, licence;
  std::optional<std::string> configSchema;
  std::uint32_t flags = 0;
  std::vector<std::string> operations; // names of the functions that its table has

  static PluginFacts of(const skh_plugin &plugin);
  bool has(const std::string &operation) const;
};

} // namespace skillhost
