// SPDX-License-Identifier: Apache-2.0
#include "token.hpp"

#include "ground/base64.hpp"
#include "ground/json.hpp"
#include "ground/text.hpp"

#include <skillhost/plugin.hpp>

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

#include <algorithm>

namespace skillhost::jwt {
namespace {

[[noreturn]] void deny(const char *why) { throw skh::Error(SKH_DENIED, why); }

Json readPart(std::string_view part, const char *why) {
  const std::optional<std::string> text = decodeBase64Url(part);
  std::optional<Json> object = text ? readJsonObject(*text) : std::nullopt;
  if (!object) deny(why);
  return *std::move(object);
}

// RFC 7515 section 4.1.9: case does not matter, and "application/" may be left out.
std::string typeOf(const Json &header) {
  const auto found = header.find("typ");
  if (found == header.end()) return "jwt";
  if (!found->is_string()) deny("the token's type is no text");
  const std::string type = asciiLowered(found->get_ref<const std::string &>());
  constexpr std::string_view prefix = "application/";
  return type.starts_with(prefix) ? type.substr(prefix.size()) : type;
}

Algorithm algorithmOf(const Json &header, const TokenRules &rules) {
  const auto found = header.find("alg");
  if (found == header.end() || !found->is_string()) deny("the token names no algorithm");
  const auto algorithm = algorithmNamed(found->get_ref<const std::string &>());
  if (!algorithm || std::find(rules.algorithms.begin(), rules.algorithms.end(), *algorithm) ==
                        rules.algorithms.end())
    deny("the token is signed with an algorithm that is not accepted");
  return *algorithm;
}

} // namespace

Token::~Token() { ::explicit_bzero(signature_.data(), signature_.size()); }

Token Token::read(std::string_view text, const TokenRules &rules) {
  if (text.size() > maxBytes) deny("the token is longer than 16 KiB");
  const std::size_t first = text.find('.');
  const std::size_t second = first == text.npos ? first : text.find('.', first + 1);
  if (second == text.npos || text.find('.', second + 1) != text.npos)
    deny("the token is no signed JWT");
  const Json header = readPart(text.substr(0, first), "the token's header cannot be read");
  Token token;
  token.algorithm_ = algorithmOf(header, rules);
  // RFC 7515 section 4.1.11: critical extensions must be understood, and none is supported here.
  if (header.contains("crit") || header.contains("b64"))
    deny("the token has critical extensions, of which none is understood");
  const std::string type = typeOf(header);
  if (std::find(rules.types.begin(), rules.types.end(), type) == rules.types.end())
    deny("the token is of a type that is not accepted");
  if (const auto id = header.find("kid"); id != header.end()) {
    if (!id->is_string() || id->get_ref<const std::string &>().empty())
      deny("the token's key id is no text");
    token.keyId_ = id->get<std::string>();
  }
  token.payload_ = text.substr(first + 1, second - first - 1);
  token.signedText_ = text.substr(0, second);
  auto signature = decodeBase64Url(text.substr(second + 1));
  if (!signature || signature->empty()) deny("the token has no signature that can be read");
  token.signature_ = *std::move(signature);
  return token;
}

Json Token::claims() const { return readPart(payload_, "the token's claims cannot be read"); }

} // namespace skillhost::jwt
