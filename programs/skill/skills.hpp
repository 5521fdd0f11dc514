// SPDX-License-Identifier: Apache-2.0
// skillhost skill list | info NAME: what is served, and what is known of one skill.
#pragma once

#include "catalogue_invocation.hpp"

#include <string>

namespace skillhost::app {

int listSkills(const CatalogueInvocation &invocation, const std::string &executable);
int showSkill(const CatalogueInvocation &invocation, const std::string &executable);

} // namespace skillhost::app
