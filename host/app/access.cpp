// SPDX-License-Identifier: Apache-2.0
#include "access.hpp"

#include "base/log.hpp"
#include "configuration/places.hpp"
#include "ground/text.hpp"
#include "instance_configuration.hpp"

#include <set>
#include <stdexcept>

namespace skillhost::app {
namespace {

AccessSettings settingsOf(const Configuration &from, const SourceFilters &filters) {
  AccessSettings settings;
  settings.scopes = {from.access.readScope.value_or(ScopeNames{}.read), from.access.manageScope,
                     mayWithhold(filters) ? from.access.reviewScope : ""};
  for (const auto &filter : filters)
    for (const std::string &scope : filter->scopes()) settings.scopes.features.push_back(scope);
  settings.resource = from.auth.resource.value_or(from.http.publicUrl.value_or(""));
  settings.visibility = visibilityRules(from);
  for (const std::string &name : from.auth.headers)
    settings.credentials.headers.push_back(asciiLowered(name));
  settings.credentials.headersFromAnyone = from.auth.headersFrom == HeadersFrom::Anyone;
  return settings;
}

} // namespace

std::vector<VisibilityRule> visibilityRules(const Configuration &configuration) {
  std::vector<VisibilityRule> rules;
  rules.reserve(configuration.access.visibility.size());
  for (const VisibilityConfiguration &rule : configuration.access.visibility)
    rules.push_back({rule.sources, rule.categories, rule.scopes, rule.principals, rule.issuers});
  return rules;
}

void warnAboutUnusedVisibility(const Configuration &configuration) {
  if (configuration.auth.plugin == "none" && !configuration.access.visibility.empty())
    log::warning("access", "access.visibility has rules, but no auth plugin identifies callers, so "
                           "nobody sees what a rule names: set auth.plugin");
}

NameProblems checkCategories(const Configuration &configuration, const Catalogue &catalogue,
                             bool holdsBack) {
  bool isCertain = !holdsBack && !catalogue.loading().isInProgress && !catalogue.entries().empty();
  for (const SourceStatus &source : catalogue.sources())
    isCertain = isCertain && source.failure.empty();
  std::set<std::string> categories;
  for (const CatalogueEntry &entry : catalogue.entries()) {
    isCertain = isCertain && !entry.skill->fields.isCategoryUnsure;
    if (!entry.skill->fields.category.empty()) categories.insert(entry.skill->fields.category);
  }
  NameProblems found = checkNamedCategories(configuration, {categories.begin(), categories.end()});
  if (isCertain) return found;
  found.warnings.insert(found.warnings.end(), found.problems.begin(), found.problems.end());
  found.problems.clear();
  return found;
}

std::unique_ptr<Access> makeAccess(const Configuration &configuration, PluginRegistry &plugins,
                                   std::shared_ptr<SharedStore> shared, Observers observers,
                                   const SourceFilters &filters) {
  const AuthConfiguration &auth = configuration.auth;
  warnAboutUnusedVisibility(configuration);
  std::shared_ptr<AuthProvider> provider;
  if (auth.plugin != "none") {
    SettingProblems problems;
    Result<std::shared_ptr<AuthProvider>> made =
        plugins.makeAuth(instanceOf("auth", auth), &problems);
    if (!problems.empty()) throw std::runtime_error(located(configuration, "auth", problems));
    if (!made) throw std::runtime_error("auth.plugin: " + made.failure().message);
    provider = *std::move(made);
  }
  AccessSettings settings = settingsOf(configuration, filters);
  settings.sharing = {std::move(shared), auth.plugin + '\n' + auth.config.dump()};
  return std::make_unique<Access>(std::move(settings), std::move(provider), std::move(observers));
}

} // namespace skillhost::app
