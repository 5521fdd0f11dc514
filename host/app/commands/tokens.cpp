// SPDX-License-Identifier: Apache-2.0
#include "commands/tokens.hpp"

#include "ground/json.hpp"
#include "ground/shown.hpp"
#include "ground/time_text.hpp"
#include "tokens/exclusive_file.hpp"
#include "tokens/token.hpp"
#include "tokens/token_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <stdexcept>

namespace skillhost::app {
namespace {

using tokens::TokenEntry;

std::int64_t unixNow() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

auto named(std::vector<TokenEntry> &entries, const std::string &name) {
  return std::find_if(entries.begin(), entries.end(),
                      [&](const TokenEntry &entry) { return entry.name == name; });
}

void add(const TokenInvocation &invocation) {
  const std::string token = tokens::newToken();
  TokenEntry entry{invocation.name, tokens::hashOfToken(token), invocation.scopes, unixNow(), 0};
  if (invocation.expiresIn != 0) entry.expiresAt = entry.created + invocation.expiresIn;
  tokens::changeTokenFile(invocation.file, [&](std::vector<TokenEntry> &entries) {
    if (named(entries, entry.name) != entries.end())
      throw std::runtime_error(invocation.file + ": there is a token \"" + entry.name +
                               "\" already: revoke it first, or choose another name");
    entries.push_back(entry);
  });
  printShown(stderr, "The token of %s, in %s by its hash alone; it is shown this once%s%s:\n",
             entry.name.c_str(), invocation.file.c_str(),
             entry.expiresAt == 0 ? "" : " and works until ",
             entry.expiresAt == 0 ? "" : timeText(entry.expiresAt).c_str());
  printShown(stdout, "%s\n", token.c_str());
  if (entry.scopes.empty())
    printShown(stderr, "It has no scope, so it may not read unless access.read_scope is empty; "
                       "--scope skills:read lets it.\n");
}

void revoke(const TokenInvocation &invocation) {
  tokens::changeTokenFile(invocation.file, [&](std::vector<TokenEntry> &entries) {
    const auto found = named(entries, invocation.name);
    if (found == entries.end())
      throw std::runtime_error(invocation.file + ": there is no token \"" + invocation.name + '"');
    entries.erase(found);
  });
  printShown(stderr, "Revoked: %s. A running server sees it within its cache_seconds.\n",
             invocation.name.c_str());
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

void list(const TokenInvocation &invocation) {
  const tokens::TokenFile file = tokens::TokenFile::read(invocation.file);
  if (invocation.json) {
    std::printf("%s\n", asJson(file.entries()).dump(2).c_str());
    return;
  }
  const std::int64_t now = unixNow();
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

int changeTokens(const TokenInvocation &invocation) try {
  switch (invocation.action) {
  case TokenInvocation::Action::Add:
    add(invocation);
    break;
  case TokenInvocation::Action::Revoke:
    revoke(invocation);
    break;
  case TokenInvocation::Action::List:
    list(invocation);
    break;
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
} catch (const std::runtime_error &why) {
  printShown(stderr, "skillhost: %s\n", why.what());
  return 1;
}

} // namespace skillhost::app
