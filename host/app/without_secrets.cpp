// SPDX-License-Identifier: Apache-2.0
#include "without_secrets.hpp"

#include "base/secret_names.hpp"

#include <nlohmann/json.hpp>

#include <iterator>

namespace skillhost::app {

void leaveOutSecrets(Json &config) {
  if (config.is_object())
    for (auto member = config.begin(); member != config.end();)
      member = isSecretSettingName(member.key()) ? config.erase(member) : std::next(member);
  if (config.is_structured())
    for (Json &part : config) leaveOutSecrets(part);
}

} // namespace skillhost::app
