// SPDX-License-Identifier: Apache-2.0
// What `skillhost skill save` puts into a store.
#pragma once

#include "app/command_line.hpp"
#include "commands/saving.hpp"

#include <string>

namespace skillhost::app {

// From the folder that was named, or from the source that would serve the skill of that name.
// Throws std::runtime_error, which says what is wrong.
SkillToSave skillToSave(const Invocation &invocation, const std::string &executable);

} // namespace skillhost::app
