// SPDX-License-Identifier: Apache-2.0
#include "settings/absent_features.hpp"

#include "settings/feature_settings.hpp"
#include "settings/key.hpp"
#include "settings/shipped.hpp"

#include <algorithm>
#include <stdexcept>

namespace skillhost::settings {
namespace {

std::vector<ShippedFeature> findAbsent() {
  Result<std::vector<ShippedFeature>> all = readShipped(shipped());
  if (!all) throw std::logic_error("the list of features cannot be read: " + all.failure().message);
  std::erase_if(*all, [](const ShippedFeature &one) {
    return std::any_of(one.keys.begin(), one.keys.end(), FeatureSettings::isDeclared);
  });
  return *std::move(all);
}

const std::vector<ShippedFeature> &absentFeatures() {
  static const std::vector<ShippedFeature> all = findAbsent();
  return all;
}

std::string belongsTo(const ShippedFeature &feature) {
  return ": it belongs to the feature " +
         feature.folder.substr(feature.folder.find_last_of('/') + 1) +
         ", which this build of skillhost does not have: install a build that has " +
         feature.folder + ", or take this out";
}

// "sources[0].name" → "sources[].name"
std::string withoutIndex(std::string_view key) {
  std::string text(key);
  const std::size_t open = text.find('[');
  if (const std::size_t close = text.find(']'); close != text.npos && open < close)
    text.erase(open + 1, close - open - 1);
  return text;
}

} // namespace

std::string absentKey(std::string_view key) {
  const std::string wanted = withoutIndex(key);
  for (const ShippedFeature &feature : absentFeatures())
    for (const std::string &one : feature.keys)
      if (one == wanted || one.starts_with(wanted + '.')) return belongsTo(feature);
  return {};
}

std::string absentVariable(std::string_view name) {
  for (const ShippedFeature &feature : absentFeatures())
    for (const std::string &one : feature.keys)
      if (variableFor(one) == name) return "unknown key \"" + one + '"' + belongsTo(feature);
  return {};
}

std::vector<std::pair<std::string, std::string>> absentOptions() {
  std::vector<std::pair<std::string, std::string>> options;
  for (const ShippedFeature &feature : absentFeatures())
    for (const std::string &one : feature.options) options.emplace_back(one, belongsTo(feature));
  return options;
}

} // namespace skillhost::settings
