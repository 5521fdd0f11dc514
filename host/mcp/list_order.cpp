// SPDX-License-Identifier: Apache-2.0
#include "list_order.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

// The first letter of a key gives its kind.
constexpr char ofHost = 'h', ofSkill = 's', ofPlugin = 'p';

std::string pluginToolKey(const PluginTool &pluginTool) {
  return pluginTool.provider->name() + '\n' + pluginTool.key;
}

// The place of a skill, even of one that is gone, among all visible skills: by its source, then by
// its path.
using Place = std::pair<std::size_t, std::string_view>;

std::optional<Place> placeOf(const Catalogue &seen, std::string_view id) {
  const std::string_view source = id.substr(0, id.find('/'));
  const auto &sources = seen.sources();
  const auto found = std::find_if(sources.begin(), sources.end(),
                                  [&](const SourceStatus &one) { return one.name == source; });
  if (found == sources.end() || source.size() == id.size()) return std::nullopt;
  return Place{static_cast<std::size_t>(found - sources.begin()), id.substr(source.size() + 1)};
}

std::optional<std::size_t> afterSkill(const ListOrder &list, const Catalogue &seen,
                                      std::string_view id) {
  const auto begin = list.skills.begin(), end = list.skills.end();
  auto next =
      std::find_if(begin, end, [&](const CatalogueEntry *entry) { return entry->skill->id == id; });
  if (next != end) {
    ++next;
  } else {
    const std::optional<Place> gone = placeOf(seen, id);
    if (!gone) return std::nullopt;
    next = std::find_if(begin, end, [&](const CatalogueEntry *entry) {
      const std::optional<Place> place = placeOf(seen, entry->skill->id);
      return place && *place > *gone;
    });
  }
  return list.front + static_cast<std::size_t>(next - begin);
}

std::optional<std::size_t> afterPluginTool(const ListOrder &list, std::string_view key) {
  for (std::size_t i = 0; i < list.fromPlugin.size(); ++i)
    if (pluginToolKey(*list.fromPlugin[i]) == key)
      return list.front + list.skills.size() + list.middle + i + 1;
  return std::nullopt;
}

std::optional<std::size_t> afterOwn(const ListOrder &list, std::string_view number) {
  std::size_t own = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), own);
  if (read.ec != std::errc{} || own >= list.front + list.middle) return std::nullopt;
  return own < list.front ? own + 1 : list.skills.size() + own + 1;
}

} // namespace

ListKeys ListOrder::keys(const Catalogue &seen) const {
  ListKeys keys;
  keys.total = size();
  keys.at = [this](std::size_t i) -> std::string {
    if (i < front) return ofHost + std::to_string(i);
    if (i < front + skills.size()) return ofSkill + skills[i - front]->skill->id;
    i -= skills.size();
    if (i < front + middle) return ofHost + std::to_string(i);
    return ofPlugin + pluginToolKey(*fromPlugin[i - front - middle]);
  };
  keys.after = [this, &seen](std::string_view key) -> std::optional<std::size_t> {
    const std::string_view rest = key.substr(1);
    switch (key.front()) {
    case ofHost:
      return afterOwn(*this, rest);
    case ofSkill:
      return afterSkill(*this, seen, rest);
    case ofPlugin:
      return afterPluginTool(*this, rest);
    default:
      return std::nullopt;
    }
  };
  return keys;
}

} // namespace skillhost
