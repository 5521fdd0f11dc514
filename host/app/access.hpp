// SPDX-License-Identifier: Apache-2.0
// Makes the access layer of a configuration, and checks that its authorization provider works.
#pragma once

#include "access/access.hpp"
#include "app/configuration.hpp"
#include "configuration/named_sources.hpp"
#include "plugin/registry.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace skillhost::app {

// Thrown if the authorization provider cannot be reached or refuses: exit code 2.
class ProviderRefused : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// Returns the configured rules of visibility.
std::vector<VisibilityRule> visibilityRules(const Configuration &configuration);

// Warns about rules that nobody can satisfy because callers are not identified.
void warnOfUnseen(const Configuration &configuration);

// Finds categories in access.visibility that no skill has. They are only warnings if some skill may
// still have them: a source has failed, skills are held back, or there is no skill at all.
NameProblems checkCategories(const Configuration &configuration, const Catalogue &catalogue,
                             bool holdsBack);

// Asks the provider whether it works, and blocks until it has answered. Throws ProviderRefused if
// it does not, and std::runtime_error if its plugin is missing or cannot be made, or a setting is
// wrong. `shared` is the state that replicas share; null if there is none.
std::unique_ptr<Access> makeAccess(const Configuration &configuration, PluginRegistry &plugins,
                                   std::shared_ptr<SharedState> shared, Observers observers);

} // namespace skillhost::app
