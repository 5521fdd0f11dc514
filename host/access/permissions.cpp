// SPDX-License-Identifier: Apache-2.0
#include "access/permissions.hpp"

namespace skillhost {

Permissions::Scopes Permissions::neededScopes(Permission need) const {
  Scopes scopes;
  if (need != Permission::Nothing && !names_.read.empty()) scopes.push_back(names_.read);
  if (need == Permission::Manage && !names_.manage.empty()) scopes.push_back(names_.manage);
  if (need == Permission::Review && !names_.review.empty()) scopes.push_back(names_.review);
  return scopes;
}

Permissions::Scopes Permissions::missingScopes(Permission need, const Principal *principal) const {
  Scopes scopes = neededScopes(need);
  if (principal == nullptr) return scopes;
  const auto includesRead = [&](const std::string &scope) {
    return !scope.empty() && principal->has(scope);
  };
  const bool reads = includesRead(names_.manage) || includesRead(names_.review);
  std::erase_if(scopes, [&](const std::string &scope) {
    return principal->has(scope) || (reads && scope == names_.read);
  });
  return scopes;
}

Permissions::Scopes Permissions::all() const {
  Scopes scopes = neededScopes(Permission::Manage);
  if (!names_.review.empty()) scopes.push_back(names_.review);
  scopes.insert(scopes.end(), names_.features.begin(), names_.features.end());
  return scopes;
}

} // namespace skillhost
