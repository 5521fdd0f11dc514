// SPDX-License-Identifier: Apache-2.0
// Makes the access layer of a configuration, and checks that its authorization provider works.
#pragma once

#include "access/access.hpp"
#include "app/configuration.hpp"
#include "configuration/named_sources.hpp"
#include "made_filters.hpp"
#include "plugin/registry.hpp"

#include <memory>
#include <vector>

namespace skillhost::app {

// Returns the rules of visibility in the configuration.
std::vector<VisibilityRule> visibilityRules(const Configuration &configuration);

// Warns about rules that nobody can satisfy because callers are not identified.
void warnAboutUnusedVisibility(const Configuration &configuration);

// Finds categories in access.visibility that no skill has. They are only warnings if some skill may
// still have them: a source has failed, skills are held back, or there is no skill at all.
NameProblems checkCategories(const Configuration &configuration, const Catalogue &catalogue,
                             bool holdsBack);

// Asks the provider whether it can do its work, and waits for the answer. Throws ProviderRefused if
// it cannot (exit code 2), and std::runtime_error if its plugin is missing or cannot be made, or a
// setting is wrong. `shared` is the store that replicas share; null: none. If no
// filter may withhold skills, nobody may review, whatever their scopes.
std::unique_ptr<Access> makeAccess(const Configuration &configuration, PluginRegistry &plugins,
                                   std::shared_ptr<SharedStore> shared, Observers observers,
                                   const SourceFilters &filters);

} // namespace skillhost::app
