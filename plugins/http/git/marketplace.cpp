// SPDX-License-Identifier: Apache-2.0
#include "marketplace.hpp"

#include <algorithm>

namespace skillhost::git {

std::string_view faultInMarketplaceName(std::string_view name) noexcept {
  constexpr std::size_t longest = 64;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  if (name.empty() || name.size() > longest || !std::all_of(name.begin(), name.end(), fits) ||
      name.starts_with('-') || name.ends_with('-') || name.find("--") != std::string_view::npos)
    return "must have 1 to 64 of a-z, 0-9 and single hyphens within, such as team-skills";
  return {};
}

std::string marketplaceText(std::string_view name) {
  const std::string text(name);
  return "{\n  \"name\": \"" + text +
         "\",\n  \"owner\": {\"name\": \"skillhost\"},\n"
         "  \"metadata\": {\"description\": \"The skills that this server shows you\"},\n"
         "  \"plugins\": [\n"
         "    {\n"
         "      \"name\": \"" +
         text +
         "\",\n"
         "      \"description\": \"The skills that this server shows you\",\n"
         "      \"source\": \"./\",\n"
         "      \"strict\": false\n"
         "    }\n"
         "  ]\n"
         "}\n";
}

} // namespace skillhost::git
