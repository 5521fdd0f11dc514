// SPDX-License-Identifier: Apache-2.0
// skillhost search QUERY: what an agent would be told.
#pragma once

#include "app/command_line.hpp"

#include <string>

namespace skillhost::app {

int searchSkills(const Invocation &invocation, const std::string &executable);

} // namespace skillhost::app
