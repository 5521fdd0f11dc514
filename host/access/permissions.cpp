// SPDX-License-Identifier: Apache-2.0
#include "access/permissions.hpp"

namespace skillhost {

Permissions::Scopes Permissions::needed(Need need) const {
  Scopes scopes;
  if (need != Need::Nothing && !names_.read.empty()) scopes.push_back(names_.read);
  if (need == Need::Manage && !names_.manage.empty()) scopes.push_back(names_.manage);
  return scopes;
}

Permissions::Scopes Permissions::missing(Need need, const Principal *principal) const {
  Scopes scopes = needed(need);
  if (principal == nullptr) return scopes;
  const bool manages = !names_.manage.empty() && principal->has(names_.manage);
  std::erase_if(scopes, [&](const std::string &scope) {
    return principal->has(scope) || (manages && scope == names_.read);
  });
  return scopes;
}

} // namespace skillhost
