// SPDX-License-Identifier: Apache-2.0
// The content of a file of tokens: for each its name, its hash, and its rights, but never the
// token.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::tokens {

struct TokenEntry {
  std::string name; // unique in the file; the subject of the token's holder
  std::string hash; // hashOfToken()
  std::vector<std::string> scopes;
  std::int64_t created = 0;   // Unix seconds
  std::int64_t expiresAt = 0; // Unix seconds; 0: never
};

// True for 1 to 64 of A-Z a-z 0-9 . _ - @
bool isTokenName(std::string_view name);
// True for a scope of OAuth (RFC 6749 section 3.3) of at most 256 bytes.
bool isScope(std::string_view scope);

// Reads the JSON text of a file. Throws std::runtime_error naming the entry and its fault.
std::vector<TokenEntry> readTokenList(std::string_view text);
std::string writeTokenList(const std::vector<TokenEntry> &entries);

// Returns the entry of that token; nullptr if there is none. It compares with all entries, so that
// the time reveals nothing. Does not check the expiry.
const TokenEntry *findToken(const std::vector<TokenEntry> &entries, std::string_view token);

} // namespace skillhost::tokens
