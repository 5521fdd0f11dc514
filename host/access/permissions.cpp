// SPDX-License-Identifier: Apache-2.0
#include "access/permissions.hpp"

#include <nlohmann/json.hpp>

#include <array>

namespace skillhost {
namespace {

// Whatever is not in the table needs Read. A row with a member holds only when that member of the
// params has this value.
struct Row {
  std::string_view method;
  const char *member;
  std::string_view value;
  Need need;
};
constexpr std::array table{
    Row{"initialize", nullptr, {}, Need::Nothing},
    Row{"ping", nullptr, {}, Need::Nothing},
    Row{"server/discover", nullptr, {}, Need::Nothing},
    Row{"tools/call", "name", "reload_skills_directory", Need::Manage},
    Row{"tools/call", "name", "get_server_stats", Need::Manage},
    Row{"resources/read", "uri", "skillhost://stats", Need::Manage},
    Row{"resources/subscribe", "uri", "skillhost://stats", Need::Manage},
};

bool holds(const Row &row, const Json &params) {
  if (row.member == nullptr) return true;
  const auto found = params.find(row.member);
  return found != params.end() && found->is_string() &&
         found->get_ref<const std::string &>() == row.value;
}

} // namespace

Need Permissions::need(std::string_view method, const Json &params) {
  for (const Row &row : table)
    if (row.method == method && holds(row, params)) return row.need;
  return Need::Read;
}

Permissions::Scopes Permissions::names(Need need) const {
  Scopes scopes;
  if (need != Need::Nothing && !names_.read.empty()) scopes.push_back(names_.read);
  if (need == Need::Manage && !names_.manage.empty()) scopes.push_back(names_.manage);
  return scopes;
}

Permissions::Scopes Permissions::needed(std::string_view method, const Json &params) const {
  return names(need(method, params));
}

Permissions::Scopes Permissions::missing(std::string_view method, const Json &params,
                                         const Principal *principal) const {
  Scopes scopes = needed(method, params);
  if (principal == nullptr) return scopes;
  const bool manages = !names_.manage.empty() && principal->has(names_.manage);
  std::erase_if(scopes, [&](const std::string &scope) {
    return principal->has(scope) || (manages && scope == names_.read);
  });
  return scopes;
}

} // namespace skillhost
