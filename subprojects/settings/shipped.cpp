// SPDX-License-Identifier: Apache-2.0
#include "settings/shipped.hpp"

#include "ground/json.hpp"
#include "ground/json_member.hpp"

#include <algorithm>
#include <utility>

namespace skillhost::settings {
namespace {

bool areTexts(const Json &list) {
  return list.is_array() &&
         std::all_of(list.begin(), list.end(), [](const Json &one) { return one.is_string(); });
}

} // namespace

Result<std::vector<ShippedFeature>> readShipped(std::string_view index) {
  const Result<Json> read = parseJson(index);
  if (!read) return read.failure();
  if (!read->is_object()) return Failure{Fault::InvalidInput, "expected an object"};
  std::vector<ShippedFeature> all;
  for (const auto &[folder, feature] : read->items()) {
    const Json &keys = memberOf(feature, "keys"), &options = memberOf(feature, "options");
    if (folder.empty() || !areTexts(keys) || !areTexts(options))
      return Failure{Fault::InvalidInput, folder + ": expected lists of texts, keys and options"};
    all.push_back(
        {folder, keys.get<std::vector<std::string>>(), options.get<std::vector<std::string>>()});
  }
  return all;
}

} // namespace skillhost::settings
