// SPDX-License-Identifier: Apache-2.0
// Collects the skill that `skillhost skill save` puts into a store.
#pragma once

#include "app/configuration.hpp"
#include "options.hpp"
#include "saving.hpp"

#include <string>

namespace skillhost {

// Takes it from the named folder, or from the source that would serve a skill of that name. Throws
// std::runtime_error with the reason.
SkillToSave skillToSave(const StoreSettings &settings, const app::Configuration &configuration,
                        const std::string &executable);

} // namespace skillhost
