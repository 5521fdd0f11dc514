// SPDX-License-Identifier: Apache-2.0
// A JWT in compact form (RFC 7519, RFC 7515). Only its form is checked here.
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
  static constexpr std::size_t maxBytes = std::size_t{16} * 1024;

  ~Token(); // overwrites the signature, without which the rest is useless
  Token(Token &&) = default;
  Token &operator=(Token &&) = default;
  // `text` must outlive the token. Throws skh::Error(SKH_DENIED) if the text is longer than 16 KiB,
  // is not three parts of base64url, has a header that is no JSON object or repeats a name, an
  // algorithm or type that the rules do not contain, or critical extensions. Messages never contain
  // parts of it.
  static Token read(std::string_view text, const TokenRules &rules);

  Algorithm algorithm() const noexcept { return algorithm_; }
  const std::string &keyId() const noexcept { return keyId_; } // may be empty
  std::string_view signedText() const noexcept { return signedText_; }
  const std::string &signature() const noexcept { return signature_; }
  // Must only be called after the signature was verified. Throws skh::Error(SKH_DENIED) if the
  // claims are no JSON object.
  Json claims() const;

private:
  Token() = default;

  Algorithm algorithm_{};
  std::string keyId_, signature_;
  std::string_view signedText_, payload_;
};

} // namespace skillhost::jwt
