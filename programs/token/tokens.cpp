// SPDX-License-Identifier: Apache-2.0
#include "tokens.hpp"

#include "ground/json.hpp"
#include "ground/shown.hpp"
#include "ground/time_reading.hpp"
#include "ground/time_text.hpp"
#include "tokens/exclusive_file.hpp"
#include "tokens/token.hpp"
#include "tokens/token_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <stdexcept>

namespace skillhost {
namespace {

using tokens::TokenEntry;

auto named(std::vector<TokenEntry> &entries, const std::string &name) {
  return std::find_if(entries.begin(), entries.end(),
                      [&](const TokenEntry &entry) { return entry.name == name; });
}

void add(const TokenCommand &settings) {
  const std::string token = tokens::newToken();
  TokenEntry entry{settings.name, tokens::hashOfToken(token), settings.scopes, secondsNow(), 0};
  if (settings.expiresIn != 0) entry.expiresAt = entry.created + settings.expiresIn;
  tokens::changeTokenFile(settings.file, [&](std::vector<TokenEntry> &entries) {
    if (named(entries, entry.name) != entries.end())
      throw std::runtime_error(settings.file + ": there is a token \"" + entry.name +
                               "\" already: revoke it first, or choose another name");
    entries.push_back(entry);
  });
  printShown(stderr, "The token of %s, in %s by its hash alone; it is shown this once%s%s:\n",
             entry.name.c_str(), settings.file.c_str(),
             entry.expiresAt == 0 ? "" : " and works until ",
             entry.expiresAt == 0 ? "" : timeText(entry.expiresAt).c_str());
  printShown(stdout, "%s\n", token.c_str());
  if (entry.scopes.empty())
    printShown(stderr, "It has no scope, so it may not read unless access.read_scope is empty; "
                       "--scope skills:read lets it.\n");
}

void revoke(const TokenCommand &settings) {
  tokens::changeTokenFile(settings.file, [&](std::vector<TokenEntry> &entries) {
    const auto found = named(entries, settings.name);
    if (found == entries.end())
      throw std::runtime_error(settings.file + ": there is no token \"" + settings.name + '"');
    entries.erase(found);
  });
  printShown(stderr, "Revoked: %s. A running server sees it within its cache_seconds.\n",
             settings.name.c_str());
}

Json asJson(const std::vector<TokenEntry> &entries) {
  Json list = Json::array();
  for (const TokenEntry &entry : entries) {
    Json one{{"name", entry.name}, {"scopes", entry.scopes}, {"created", timeText(entry.created)}};
    if (entry.expiresAt != 0) one["expiresAt"] = timeText(entry.expiresAt);
    list.push_back(std::move(one));
  }
  return list;
}

void list(const TokenCommand &settings) {
  const tokens::TokenFile file = tokens::TokenFile::read(settings.file);
  if (settings.json) {
    printJsonText(stdout, asJson(file.entries()).dump(2));
    return;
  }
  const std::int64_t now = secondsNow();
  for (const TokenEntry &entry : file.entries()) {
    std::string scopes;
    for (const std::string &scope : entry.scopes) scopes += ' ' + scope;
    const std::string end = entry.expiresAt == 0     ? "never expires"
                            : entry.expiresAt <= now ? "EXPIRED " + timeText(entry.expiresAt)
                                                     : "expires " + timeText(entry.expiresAt);
    printShown(stdout, "%s  created %s  %s %s\n", entry.name.c_str(),
               timeText(entry.created).c_str(), end.c_str(),
               scopes.empty() ? " no scopes" : scopes.c_str());
  }
}

} // namespace

void changeTokens(const TokenCommand &settings) {
  switch (settings.action) {
  case TokenCommand::Action::Add:
    return add(settings);
  case TokenCommand::Action::Revoke:
    return revoke(settings);
  case TokenCommand::Action::List:
    return list(settings);
  }
}

} // namespace skillhost
