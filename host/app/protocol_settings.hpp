// SPDX-License-Identifier: Apache-2.0
// Converts the configuration to the settings of the protocol and of skills.
#pragma once

#include "app/configuration.hpp"
#include "mcp/settings.hpp"
#include "skills/source_skills.hpp"

namespace skillhost::app {

ProtocolSettings protocolSettings(const Configuration &from);
SkillRules skillRules(const Configuration &from);

} // namespace skillhost::app
