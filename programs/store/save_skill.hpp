// SPDX-License-Identifier: Apache-2.0
// What `skillhost skill save` puts into a store.
#pragma once

#include "app/configuration.hpp"
#include "options.hpp"
#include "saving.hpp"

#include <string>

namespace skillhost {

// From the folder that was named, or from the source that would serve the skill of that name.
// Throws std::runtime_error, which says what is wrong.
SkillToSave skillToSave(const StoreSettings &told, const app::Configuration &configuration,
                        const std::string &executable);

} // namespace skillhost
