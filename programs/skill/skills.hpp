// SPDX-License-Identifier: Apache-2.0
// skillhost skill list | info NAME shows the served skills, and the details of one.
#pragma once

#include "app/configuration.hpp"

#include <string>

namespace skillhost::app {

int listSkills(const Configuration &configuration, const std::string &executable, bool json);
int showSkill(const Configuration &configuration, const std::string &executable,
              const std::string &name, bool json);

} // namespace skillhost::app
