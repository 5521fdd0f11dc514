// SPDX-License-Identifier: Apache-2.0
#include "known_clients.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace skillhost {
namespace {

// How their names begin, in small letters, with '-' for blanks and underscores; doc/clients.md has
// a row for each. What follows is a variant ("claude-code"), a version, or the name of a proxy
// ("claude-ai (via mcp-remote 0.1.37)").
constexpr std::array<std::string_view, 42> agentHosts{"amazon-q",
                                                      "amp",
                                                      "antigravity",
                                                      "augment",
                                                      "chatgpt",
                                                      "cherry-studio",
                                                      "claude",
                                                      "cline",
                                                      "code-oss",
                                                      "codex",
                                                      "continue",
                                                      "copilot",
                                                      "crush",
                                                      "cursor",
                                                      "devin",
                                                      "factory",
                                                      "gemini-cli",
                                                      "github-copilot",
                                                      "goose",
                                                      "grok",
                                                      "hermes",
                                                      "jan",
                                                      "jetbrains",
                                                      "junie",
                                                      "kilo",
                                                      "kimi",
                                                      "kiro",
                                                      "librechat",
                                                      "lm-studio",
                                                      "lmstudio",
                                                      "mcs",
                                                      "openai-mcp",
                                                      "opencode",
                                                      "pi-coding-agent",
                                                      "q-dev-cli",
                                                      "qwen",
                                                      "roo",
                                                      "trae",
                                                      "visual-studio-code",
                                                      "warp",
                                                      "windsurf",
                                                      "zed"};
static_assert(std::is_sorted(agentHosts.begin(), agentHosts.end()));

constexpr std::size_t longestName = 64; // of a name that is looked at; the rest is a proxy's

std::string comparable(std::string_view name) {
  if (!name.empty() && name.front() == '@') name.remove_prefix(1);
  std::string out(name.substr(0, longestName));
  for (char &c : out)
    c = c == ' ' || c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

} // namespace

std::string_view clientName(const Json &members, const char *key) {
  const auto info = members.find(key);
  if (info == members.end() || !info->is_object()) return {};
  const auto name = info->find("name");
  if (name == info->end() || !name->is_string()) return {};
  return name->get_ref<const std::string &>();
}

bool isAgentHost(std::string_view name) {
  const std::string said = comparable(name);
  return std::any_of(agentHosts.begin(), agentHosts.end(), [&](std::string_view one) {
    return said.starts_with(one) &&
           (said.size() == one.size() ||
            std::isalnum(static_cast<unsigned char>(said[one.size()])) == 0);
  });
}

ResultForm resultFormFor(std::string_view name) {
  return isAgentHost(name) ? ResultForm::Text : ResultForm::Both;
}

} // namespace skillhost
