// SPDX-License-Identifier: Apache-2.0
#include "agent_folders.hpp"

#include "base/fault.hpp"
#include "settings/paths.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

namespace skillhost::sync {
namespace {

namespace fs = std::filesystem;

constexpr std::array<AgentFolders, 8> table{{
    {"claude-code", "CLAUDE_CONFIG_DIR", ".claude", "skills", ".claude/skills"},
    {"codex", "CODEX_HOME", ".codex", "skills", ".agents/skills"},
    {"cursor", "", ".cursor", "skills", ".cursor/skills"},
    {"copilot", "", ".copilot", "skills", ".github/skills"},
    {"gemini-cli", "", ".gemini", "skills", ".gemini/skills"},
    {"opencode", "XDG_CONFIG_HOME", ".config", "opencode/skills", ".opencode/skills"},
    {"goose", "XDG_CONFIG_HOME", ".config", "goose/skills", ".goose/skills"},
    {"agents", "", ".agents", "skills", ".agents/skills"},
}};

// Returns the user's folder; empty if HOME is needed but not set.
std::string userFolderOf(const AgentFolders &agent, const settings::Environment &surroundings) {
  const std::string set =
      agent.variable.empty() ? "" : surroundings.variable(std::string(agent.variable));
  if (set.starts_with('/')) return set + '/' + std::string(agent.userFolder);
  const std::string home = surroundings.variable("HOME");
  if (!home.starts_with('/')) return {};
  return home + '/' + std::string(agent.userBase) + '/' + std::string(agent.userFolder);
}

} // namespace

std::span<const AgentFolders> agentFolders() { return table; }

Result<TargetFolder> targetFolder(const std::string &path) {
  std::error_code error;
  // A part of the path that is a link without a target would be created at an unknown place.
  for (fs::path part = path; part.has_relative_path(); part = part.parent_path())
    if (fs::is_symlink(part, error) && !fs::exists(part, error))
      return {Fault::InvalidInput, part.string() + ": is a link that leads nowhere"};
  const std::string canonical = fs::weakly_canonical(path, error).string();
  if (error) return {Fault::InvalidInput, path + ": " + error.message()};
  if (fs::exists(canonical, error) && !fs::is_directory(canonical, error))
    return {Fault::InvalidInput, path + ": is no folder"};
  const std::string plain = fs::path(path).lexically_normal().string();
  return TargetFolder{canonical, {}, canonical == plain ? "" : plain};
}

Result<std::vector<TargetFolder>> targetFolders(const std::vector<std::string> &agents,
                                                bool ofProject,
                                                const settings::Environment &surroundings) {
  std::vector<TargetFolder> targets;
  for (const std::string &name : agents) {
    const auto *const agent = std::find_if(
        table.begin(), table.end(), [&](const AgentFolders &one) { return one.name == name; });
    if (agent == table.end()) return {Fault::InvalidInput, "no agent is named \"" + name + '"'};
    const std::string folder =
        ofProject ? surroundings.workingDirectory + '/' + std::string(agent->projectFolder)
                  : userFolderOf(*agent, surroundings);
    if (folder.empty())
      return {Fault::InvalidInput,
              "HOME is not set, so the folder of " + name + " is not known; name it with --folder"};
    if (ofProject && settings::leadsOutOf(folder, surroundings.workingDirectory))
      return {Fault::InvalidInput,
              folder + " leads out of this project through a link: nothing is written there; name "
                       "the folder with --folder if you mean it"};
    Result<TargetFolder> target = targetFolder(folder);
    if (!target) return target.failure();
    const auto same = std::find_if(targets.begin(), targets.end(), [&](const TargetFolder &one) {
      return one.path == target->path;
    });
    if (same == targets.end()) {
      target->agents = {name};
      targets.push_back(*std::move(target));
    } else if (std::find(same->agents.begin(), same->agents.end(), name) == same->agents.end()) {
      same->agents.push_back(name);
    }
  }
  return targets;
}

} // namespace skillhost::sync
