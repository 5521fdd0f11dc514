// SPDX-License-Identifier: Apache-2.0
// What a file of tokens holds: for each its name, the hash of it, and what it opens. No token.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::tokens {

struct TokenEntry {
  std::string name; // unique in the file; the subject of whoever holds the token
  std::string hash; // hashOfToken()
  std::vector<std::string> scopes;
  std::int64_t created = 0;   // Unix seconds
  std::int64_t expiresAt = 0; // Unix seconds; 0: never
};

// 1 to 64 of A-Z a-z 0-9 . _ - @
bool isTokenName(std::string_view name);
// A scope of OAuth (RFC 6749 section 3.3), at most 256 bytes.
bool isScope(std::string_view scope);

// The JSON text of a file. Throws std::runtime_error naming the entry and what is wrong with it.
std::vector<TokenEntry> readTokenList(std::string_view text);
std::string writeTokenList(const std::vector<TokenEntry> &entries);

// The entry of that token, looking at all of them so that the time tells nothing; nullptr when
// there is none. Does not look at the date.
const TokenEntry *findToken(const std::vector<TokenEntry> &entries, std::string_view token);

} // namespace skillhost::tokens
