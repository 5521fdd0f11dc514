// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include "ground/sha256.hpp"
#include "http_client/url.hpp"
#include "paths/names.hpp"
#include "remote/web_settings.hpp"

#include <skillhost/config.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace skillhost::mcp_source {

using remote::readNumber;

namespace {

constexpr std::size_t maxSecretBytes = 65'536;

constexpr std::size_t maxWords = 1'000, maxWordBytes = 32'768;

// A word of the kernel's ends with its first NUL.
bool isWord(const std::string &text) {
  return text.size() <= maxWordBytes && text.find('\0') == std::string::npos;
}

// A name is looked for in PATH. A relative path would mean another program in each folder.
std::vector<std::string> readCommand(const skh::Config &config) {
  std::vector<std::string> command = config.texts("command");
  if (!config.has("command")) return command;
  if (command.empty()) throw skh::Error(SKH_INVALID, "command: names no program");
  if (config.has("url")) throw skh::Error(SKH_INVALID, "command: excludes url: give one of them");
  for (const char *key : {"token", "token_command", "client_id", "client_secret", "issuer",
                          "grant_url", "scope", "ca_file", "allow_private_addresses"})
    if (config.has(key))
      throw skh::Error(SKH_INVALID, std::string(key) +
                                        ": is for a server at a url. A program gets its secrets "
                                        "and settings by env and by its arguments");
  const std::string &program = command.front();
  if (program.empty()) throw skh::Error(SKH_INVALID, "command: begins with no program");
  if (program.find('/') != std::string::npos && program.front() != '/')
    throw skh::Error(SKH_INVALID, "command: \"" + paths::printable(program) +
                                      "\" must be an absolute path, or a name that is looked for "
                                      "in PATH");
  if (command.size() > maxWords || !std::all_of(command.begin(), command.end(), isWord))
    throw skh::Error(SKH_INVALID, "command: is too long, or holds a NUL character");
  return command;
}

std::vector<std::string> readEnvironment(const skh::Config &config) {
  std::vector<std::string> variables;
  const auto found = config.json().find("env");
  if (found == config.json().end()) return variables;
  if (!config.has("command"))
    throw skh::Error(SKH_INVALID, "env: goes with command, which is missing");
  if (!found->is_object())
    throw skh::Error(SKH_INVALID, "env: must be names of variables with their values");
  for (const auto &[name, value] : found->items()) {
    const auto *const text = value.get_ptr<const std::string *>();
    if (name.empty() || name.find('=') != std::string::npos || !isWord(name) || text == nullptr ||
        !isWord(*text))
      throw skh::Error(SKH_INVALID, "env: \"" + paths::printable(name) +
                                        "\" is no variable with a text as its value");
    variables.push_back(name + '=' + *text);
  }
  return variables;
}

web::WebAddress readServerAddress(const skh::Config &config) {
  if (config.has("command")) return {};
  if (!config.has("url"))
    throw skh::Error(SKH_INVALID,
                     "url: is missing: write the address of the server, or its program as command");
  return remote::readAddress("url", config.text("url"));
}

std::string identityOf(const std::vector<std::string> &command) {
  std::string words;
  for (const std::string &word : command) words.append(word) += '\0';
  return "program:" + sha256Hex(words);
}

void requireNoClient(const skh::Config &config) {
  for (const char *key : {"client_secret", "issuer", "grant_url", "scope"})
    if (!config.text(key, "").empty())
      throw skh::Error(SKH_INVALID, std::string(key) + ": goes with client_id, which is missing");
}

std::optional<ClientSettings> readClient(const skh::Config &config) {
  ClientSettings client{config.text("client_id", ""), config.text("client_secret", ""),
                        config.text("scope", ""), config.text("issuer", ""),
                        config.text("grant_url", "")};
  if (client.id.empty()) {
    requireNoClient(config);
    return std::nullopt;
  }
  if (!config.text("token", "").empty() || !config.texts("token_command").empty())
    throw skh::Error(SKH_INVALID, "client_id: excludes token and token_command: give one of them");
  if (client.secret.empty())
    throw skh::Error(SKH_INVALID, "client_secret: is missing, and goes with client_id");
  if (client.secret.size() > maxSecretBytes ||
      std::any_of(client.secret.begin(), client.secret.end(),
                  [](char c) { return c < ' ' || c > '~'; }))
    throw skh::Error(SKH_INVALID, "client_secret: holds what cannot be a client secret");
  if (client.issuer.empty() == client.grantUrl.empty())
    throw skh::Error(SKH_INVALID,
                     "issuer: name the authorization server that may receive the secret, such as "
                     "https://id.example.org, or its token endpoint as grant_url; not both");
  if (!client.issuer.empty()) remote::readAddress("issuer", client.issuer);
  if (!client.grantUrl.empty()) remote::readAddress("grant_url", client.grantUrl);
  return client;
}

} // namespace

Settings::Settings(std::string_view configuration) : Settings(skh::Config(configuration)) {}

Settings::Settings(const skh::Config &config)
    : address(readServerAddress(config)), command(readCommand(config)),
      environment(readEnvironment(config)),
      shownServer(command.empty() ? std::string(web::withoutQuery(address.url))
                                  : paths::printable(command.front())),
      identity(command.empty() ? address.url : identityOf(command)),
      caFile(config.text("ca_file", "")), token(remote::readToken(config)),
      tokenCommand(remote::readTokenCommand(config, token)), client(readClient(config)),
      allowPrivateAddresses(config.flag("allow_private_addresses", false)),
      subscribes(config.flag("subscribe", true)), refreshEvery(remote::readInterval(config, 15)),
      deadline(static_cast<std::int64_t>(readNumber(config, "deadline_ms", 120'000, 3'600'000))),
      stallTimeout(remote::stallTimeoutFor(deadline)),
      selection{paths::readPatterns("include", config.texts("include")),
                paths::readPatterns("exclude", config.texts("exclude"))} {
  limits.maxSkills = readNumber(config, "max_skills", limits.maxSkills, 100'000);
  limits.maxSkillFiles = readNumber(config, "max_skill_files", limits.maxSkillFiles, 1'000'000);
  limits.maxSkillBytes = readNumber(config, "max_skill_bytes", limits.maxSkillBytes, 1'073'741'824);
  limits.maxFetchBytes =
      readNumber(config, "max_fetch_bytes", limits.maxFetchBytes, 1'099'511'627'776);
}

} // namespace skillhost::mcp_source
