// SPDX-License-Identifier: Apache-2.0
// A JWT in compact form (RFC 7519, RFC 7515), taken apart and believed in nothing but its form.
#pragma once

#include "algorithm.hpp"
#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::jwt {

struct TokenRules {
  std::vector<Algorithm> algorithms;
  std::vector<std::string> types; // lower case, without "application/"; no type counts as "jwt"
};

class Token {
public:
  static constexpr std::size_t mostBytes = std::size_t{16} * 1024;

  ~Token(); // overwrites the signature: with it the rest would be a token again
  Token(Token &&) = default;
  Token &operator=(Token &&) = default;
  // `text` must outlive the token. Throws skh::Error(SKH_DENIED): longer than 16 KiB, not three
  // parts of base64url, a header that is no JSON object or has a name twice, an algorithm or type
  // that the rules do not have, critical extensions. No message repeats anything of it.
  static Token read(std::string_view text, const TokenRules &rules);

  Algorithm algorithm() const noexcept { return algorithm_; }
  const std::string &keyId() const noexcept { return keyId_; } // empty: none
  std::string_view signedText() const noexcept { return signedText_; }
  const std::string &signature() const noexcept { return signature_; }
  // To be asked for once the signature holds. Throws skh::Error(SKH_DENIED) for no JSON object.
  Json claims() const;

private:
  Token() = default;

  Algorithm algorithm_{};
  std::string keyId_, signature_;
  std::string_view signedText_, payload_;
};

} // namespace skillhost::jwt
