// SPDX-License-Identifier: Apache-2.0
#include "net/resource_metadata.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost {
namespace {

bool isTextList(const Json &value) {
  return value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const Json &one) { return one.is_string(); });
}

} // namespace

Result<std::string> resourceMetadata(std::string_view described, std::string_view resource,
                                     std::span<const std::string> scopes) {
  if (described.size() > longestDescription)
    return {Fault::InvalidFormat, "the description has more than 64 KiB"};
  Result<Json> parsed = parseJson(described);
  if (!parsed) return {Fault::InvalidFormat, "the description: " + parsed.failure().message};
  if (!parsed->is_object()) return {Fault::InvalidFormat, "the description is no JSON object"};
  Json document{{"resource", resource}};
  for (const auto &[name, value] : parsed->items()) {
    if ((name == "authorization_servers" || name == "scopes_supported") && !isTextList(value))
      return {Fault::InvalidFormat, "the description: " + name + " is no list of strings"};
    if (name != "resource") document[name] = value;
  }
  Json &all = document["scopes_supported"];
  if (all.is_null()) all = Json::array();
  for (const std::string &scope : scopes)
    if (std::find(all.begin(), all.end(), scope) == all.end()) all.push_back(scope);
  if (all.empty()) document.erase("scopes_supported");
  document["bearer_methods_supported"] = Json::array({"header"});
  return document.dump();
}

} // namespace skillhost
