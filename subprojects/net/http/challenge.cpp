// SPDX-License-Identifier: Apache-2.0
#include "net/challenge.hpp"

namespace skillhost {
namespace {

void append(std::string &out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out += out.ends_with('"') ? ", " : " ";
  (out += name) += "=\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c >= 0x20 && c < 0x7F ? c : ' ';
  }
  out += '"';
}

// RFC 6750 allows neither of the two characters that would have to be escaped.
std::string withoutQuotes(std::string_view text) {
  std::string out(text);
  for (char &c : out)
    if (c == '"' || c == '\\') c = '\'';
  return out;
}

} // namespace

std::string challengeText(const Challenge &challenge) {
  std::string out = "Bearer";
  append(out, "resource_metadata", challenge.resourceMetadata);
  append(out, "error", withoutQuotes(challenge.error));
  append(out, "error_description", withoutQuotes(challenge.description));
  std::string scopes;
  for (const std::string &scope : challenge.scopes) (scopes += scopes.empty() ? "" : " ") += scope;
  append(out, "scope", withoutQuotes(scopes));
  return out;
}

} // namespace skillhost
