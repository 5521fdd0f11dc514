// SPDX-License-Identifier: Apache-2.0
#include "rpc/known_clients.hpp"

#include "ground/json_member.hpp"
#include "ground/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace skillhost {
namespace {

// The beginnings of their names, in small letters, with '-' for blanks and underscores;
// doc/clients.md has a row for each. The rest of a name is a variant ("claude-code"), a version, or
// the name of a proxy ("claude-ai (via mcp-remote 0.1.37)").
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

struct ShownResult {
  std::string_view host;
  std::size_t characters; // 0: as many as the tool declares
};

// doc/clients.md gives the origin of each number. Codex shows 10,000 tokens, and counts four bytes
// as one.
constexpr std::array<ShownResult, 5> shownResults{ShownResult{"claude-code", 0},
                                                  {"codex", 40'000},
                                                  {"gemini-cli", 40'000},
                                                  {"opencode", 50U << 10U},
                                                  {"qwen", 25'000}};

// For every other client: about 25,000 tokens, which Claude Code shows of a tool that declares
// nothing, and which fit into the context of every model that agents use today. A program can read
// on like a model.
constexpr std::size_t usuallyShown = 100'000;

constexpr std::size_t maxComparedNameBytes = 64; // the rest is the name of a proxy

std::string comparable(std::string_view name) {
  if (!name.empty() && name.front() == '@') name.remove_prefix(1);
  std::string out(name.substr(0, maxComparedNameBytes));
  for (char &c : out) c = c == ' ' || c == '_' ? '-' : asciiLowered(c);
  return out;
}

// True if the name begins with `host`, and `host` ends at a word's end there.
bool isNamed(std::string_view name, std::string_view host) {
  return name.starts_with(host) &&
         (name.size() == host.size() ||
          std::isalnum(static_cast<unsigned char>(name[host.size()])) == 0);
}

} // namespace

std::string_view clientName(const Json &members, const char *key) {
  return memberText(memberOf(members, key), "name");
}

bool isAgentHost(std::string_view name) {
  const std::string said = comparable(name);
  return std::any_of(agentHosts.begin(), agentHosts.end(),
                     [&](std::string_view one) { return isNamed(said, one); });
}

ResultForm resultFormFor(std::string_view name) {
  return isAgentHost(name) ? ResultForm::Text : ResultForm::Both;
}

std::size_t shownCharacters(std::string_view name, std::size_t declared) {
  const std::string said = comparable(name);
  const auto *const known =
      std::find_if(shownResults.begin(), shownResults.end(),
                   [&](const ShownResult &one) { return isNamed(said, one.host); });
  if (known == shownResults.end()) return usuallyShown;
  return known->characters == 0 ? declared : known->characters;
}

} // namespace skillhost
