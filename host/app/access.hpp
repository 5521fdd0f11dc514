// SPDX-License-Identifier: Apache-2.0
// The access layer of a configuration: who is asked who it is, and whether that one can be.
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

// The authorization provider cannot be reached, or refuses: exit code 2.
class ProviderRefused : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// Who sees what, as the configuration says it.
std::vector<VisibilityRule> visibilityRules(const Configuration &configuration);

// Of rules that nobody can satisfy, as nobody is asked who it is.
void warnOfUnseen(const Configuration &configuration);

// Categories in access.visibility that no skill has. They are warnings only while some skill may
// still have them: a source has failed or holds skills back, or there is no skill at all.
NameProblems checkCategories(const Configuration &configuration, const Catalogue &catalogue,
                             bool holdsBack);

// Asks the provider whether it can do its work, and waits for it. Throws ProviderRefused when it
// cannot, std::runtime_error when its plugin is missing, cannot be made, or a setting is wrong.
// `shared` is what replicas share; null: nothing. Without `hasReview` nobody reviews, whatever
// their scopes.
std::unique_ptr<Access> makeAccess(const Configuration &configuration, PluginRegistry &plugins,
                                   std::shared_ptr<SharedState> shared, Observers observers,
                                   bool hasReview);

} // namespace skillhost::app
