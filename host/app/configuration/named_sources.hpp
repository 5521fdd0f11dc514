// SPDX-License-Identifier: Apache-2.0
// Settings name sources, plugins, categories, skills and tools. A misspelt name would leave what
// the rule hides, reviews or leaves out open to everybody, or the setting without effect.
#pragma once

#include "app/configuration.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// True if the text is a name; false if it is a pattern, which may match something later.
bool isPlainName(std::string_view pattern) noexcept;

// The key as messages name it, after the place where it or the key around it was written.
std::string placedKey(const Configuration &configuration, const std::string &key);

struct NameProblems {
  std::vector<std::string> problems; // names of what does not exist
  std::vector<std::string> warnings; // patterns that match nothing yet
};

// Checks every rule that names sources or plugins against those of the configuration. `expected`
// are names of sources that exist once their folders do.
NameProblems checkNamedSources(const Configuration &configuration,
                               const std::vector<std::string> &expected);

// Checks the tools in deadlines.tools and limits.tool_array_limits against those of the server and
// `ofFeatures`. Skills and plugins may bring tools whose names are not known yet: then only a name
// that is nearly one of the known ones is told of, as a warning.
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
