// SPDX-License-Identifier: Apache-2.0
// Checks the names of sources, plugins, categories, skills and tools in settings. With a misspelt
// name, a rule would leave open to everybody what it is meant to hide or review, or a setting would
// have no effect.
#pragma once

#include "app/configuration.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// True if the text is a name. False if it is a pattern, which may match something later.
bool isPlainName(std::string_view pattern) noexcept;

// Returns the key as messages name it, after the place where it, or the key around it, was written.
std::string placedKey(const Configuration &configuration, const std::string &key);

struct NameProblems {
  std::vector<std::string> problems; // names that do not exist
  std::vector<std::string> warnings; // patterns that match nothing yet
};

// Checks every rule that names sources or plugins against those of the configuration. `expected`
// holds names of sources that exist only once their folders do.
NameProblems checkNamedSources(const Configuration &configuration,
                               const std::vector<std::string> &expected);

// Checks the tools in deadlines.tools and limits.tool_array_limits against those of the server and
// `ofFeatures`. Skills and plugins may bring tools whose names are not known yet, so an unknown
// name is only a warning, and only if it nearly equals a known name.
NameProblems checkNamedTools(const Configuration &configuration,
                             const std::vector<std::string> &ofFeatures);

// Checks include_skills and exclude_skills against the skills that the sources have listed, as
// "<source>/<path>". All problems are warnings, since a skill may come later.
NameProblems checkNamedSkills(const Configuration &configuration,
                              const std::vector<std::string> &listed);

// Checks the categories of access.visibility against those that the skills have.
NameProblems checkNamedCategories(const Configuration &configuration,
                                  const std::vector<std::string> &categories);

} // namespace skillhost::app
