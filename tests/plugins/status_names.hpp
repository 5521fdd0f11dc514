// SPDX-License-Identifier: Apache-2.0
// The statuses of the plugin interface by name, for plugins that fail as a script says.
#pragma once

#include <skillhost/plugin.h>

#include <optional>
#include <string_view>
#include <utility>

// Returns SKH_NOT_FOUND for "NOT_FOUND" and so on; nothing for any other text.
inline std::optional<skh_status> statusNamed(std::string_view text) {
  constexpr std::pair<std::string_view, skh_status> names[] = {
      {"OK", SKH_OK},
      {"FAILED", SKH_FAILED},
      {"CANCELLED", SKH_CANCELLED},
      {"DEADLINE", SKH_DEADLINE},
      {"INVALID", SKH_INVALID},
      {"NOT_FOUND", SKH_NOT_FOUND},
      {"STALE", SKH_STALE},
      {"DENIED", SKH_DENIED},
      {"UNAVAILABLE", SKH_UNAVAILABLE},
      {"TOO_LARGE", SKH_TOO_LARGE},
      {"UNSUPPORTED", SKH_UNSUPPORTED},
      {"CORRUPT", SKH_CORRUPT},
  };
  for (const auto &[name, status] : names)
    if (name == text) return status;
  return std::nullopt;
}
