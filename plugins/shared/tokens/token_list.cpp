// SPDX-License-Identifier: Apache-2.0
#include "token_list.hpp"

#include "ground/constant_time.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/json.hpp"
#include "token.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace skillhost::tokens {
namespace {

constexpr std::size_t hashDigits = 64;
constexpr std::int64_t latest = 253'402'300'799; // the end of 9999

bool isHash(std::string_view text) { return isHexadecimal(text, hashDigits); }

[[noreturn]] void refuse(std::size_t index, const std::string &why) {
  throw std::runtime_error("tokens[" + std::to_string(index) + "]" + why);
}

std::int64_t readTime(const Json &entry, std::size_t index, const char *key) {
  const auto found = entry.find(key);
  if (found == entry.end()) return 0;
  if (!found->is_number_integer() || *found < 0 || *found > latest)
    refuse(index, "." + std::string(key) + ": must be Unix seconds");
  return found->get<std::int64_t>();
}

std::string readText(const Json &entry, std::size_t index, const char *key,
                     bool (*good)(std::string_view), const char *what) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string() || !good(found->get_ref<const std::string &>()))
    refuse(index, "." + std::string(key) + ": must be " + what);
  return found->get<std::string>();
}

TokenEntry readEntry(const Json &value, std::size_t index) {
  if (!value.is_object()) refuse(index, ": must be an object");
  for (const auto &[key, member] : value.items())
    if (key != "name" && key != "hash" && key != "scopes" && key != "created" &&
        key != "expires_at")
      refuse(index, ": knows no such key, a newer version may have written it");
  TokenEntry entry;
  entry.name = readText(value, index, "name", &isTokenName, "1 to 64 of A-Z a-z 0-9 . _ - @");
  entry.hash = readText(value, index, "hash", &isHash, "64 hexadecimal digits in lower case");
  if (const auto scopes = value.find("scopes"); scopes != value.end()) {
    if (!scopes->is_array()) refuse(index, ".scopes: must be a list");
    for (const Json &scope : *scopes) {
      if (!scope.is_string() || !isScope(scope.get_ref<const std::string &>()))
        refuse(index, ".scopes: must be scopes without blanks");
      entry.scopes.push_back(scope.get<std::string>());
    }
  }
  entry.created = readTime(value, index, "created");
  entry.expiresAt = readTime(value, index, "expires_at");
  return entry;
}

} // namespace

bool isTokenName(std::string_view name) {
  constexpr std::string_view allowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-@";
  return !name.empty() && name.size() <= 64 && name.find_first_not_of(allowed) == name.npos;
}

bool isScope(std::string_view scope) {
  return !scope.empty() && scope.size() <= 256 &&
         std::all_of(scope.begin(), scope.end(),
                     [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '\\'; });
}

std::vector<TokenEntry> readTokenList(std::string_view text) {
  const std::optional<Json> document = readJsonObject(text);
  if (!document) throw std::runtime_error("is not a JSON object, or has a key twice");
  const auto version = document->find("version");
  if (version == document->end() || *version != 1)
    throw std::runtime_error("version: must be 1, the only one there is");
  const auto list = document->find("tokens");
  if (list == document->end() || !list->is_array())
    throw std::runtime_error("tokens: must be a list");
  std::vector<TokenEntry> entries;
  std::set<std::string> names, hashes;
  for (const Json &value : *list) {
    const std::size_t index = entries.size();
    entries.push_back(readEntry(value, index));
    if (!names.insert(entries.back().name).second) refuse(index, ".name: is there twice");
    if (!hashes.insert(entries.back().hash).second) refuse(index, ".hash: is there twice");
  }
  return entries;
}

std::string writeTokenList(const std::vector<TokenEntry> &entries) {
  Json list = Json::array();
  for (const TokenEntry &entry : entries) {
    Json value{{"name", entry.name},
               {"hash", entry.hash},
               {"scopes", entry.scopes},
               {"created", entry.created}};
    if (entry.expiresAt != 0) value["expires_at"] = entry.expiresAt;
    list.push_back(std::move(value));
  }
  return Json{{"version", 1}, {"tokens", std::move(list)}}.dump(2) + "\n";
}

const TokenEntry *findToken(const std::vector<TokenEntry> &entries, std::string_view token) {
  const std::string hash = hashOfToken(token);
  const TokenEntry *found = nullptr;
  for (const TokenEntry &entry : entries)
    if (equalInConstantTime(entry.hash, hash)) found = &entry;
  return found;
}

} // namespace skillhost::tokens
