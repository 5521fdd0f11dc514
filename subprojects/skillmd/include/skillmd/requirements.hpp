// SPDX-License-Identifier: Apache-2.0
// Reads what a skill says that it needs: commands, environment variables, other skills, MCP
// servers.
#pragma once

#include "ground/json.hpp"
#include "skillmd/front_matter.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// Every name is one plain word of at most 64 bytes, without blanks. Others are left out, because an
// agent reads the names.
struct Requirements {
  std::vector<std::string> commands;                 // all of them are needed
  std::vector<std::vector<std::string>> anyCommands; // one command of each list is needed
  std::vector<std::string> variables, skills, servers;
  // Requirements that nothing here can check, as they are written: "dependencies: python>=3.8".
  std::vector<std::string> others;
};

// Reads the forms that authors use: `requires` with `bins`, `anyBins`, `env`, `config` and
// `skills`, `requires_skills`, `required_environment_variables`, `prerequisites`, `dependencies`,
// `mcpServers` and its other spellings; at the top, in `metadata`, or in a member of it such as
// `openclaw`. `metadata` may be JSON in a text. Takes at most 64 names.
Requirements requirementsOf(const Json &frontMatter);

// Returns "the commands node and uv, the environment variable KEY"; empty if nothing is needed.
// Has about 500 bytes at most; then it ends with "and 12 more".
std::string requirementWords(const Requirements &needed);
// Returns the line that tells an agent the same, with a line end; empty if nothing is needed.
// `frontMatter` is JSON.
std::string requirementLine(std::string_view frontMatter);

// Returns a sentence for each command that no folder of `path`, which is like $PATH, has, and for
// each variable that `valueOf` finds empty.
std::vector<std::string>
missingRequirements(const Requirements &needed, const std::string &path,
                    const std::function<std::string(const std::string &)> &valueOf);

// The code of the finding that something is missing on this machine.
inline constexpr const char *requirementMissingCode = "requirement-missing";
// Returns an advice for each sentence of missingRequirements() in the environment of this process.
std::vector<Finding> findMissingRequirements(const FrontMatter &matter, std::string_view file);

} // namespace skillhost
