// SPDX-License-Identifier: Apache-2.0
#include "net/bearer.hpp"

#include "ground/percent.hpp"

#include <algorithm>
#include <string>

namespace skillhost {
namespace {

// Returns true if a parameter of the query has this name, however it is escaped.
bool namesParameter(std::string_view query, std::string_view wanted) {
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find_first_of("&;"));
    query.remove_prefix(std::min(query.size(), one.size() + 1));
    if (decodePercents(one.substr(0, one.find('='))) == wanted) return true;
  }
  return false;
}

bool isBearer(std::string_view scheme) noexcept {
  constexpr std::string_view wanted = "bearer";
  return std::equal(scheme.begin(), scheme.end(), wanted.begin(), wanted.end(),
                    [](char given, char lower) { return (given | 0x20) == lower; });
}

// token68 = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="
bool isToken68(std::string_view text) noexcept {
  const std::size_t end = text.find_last_not_of('=') + 1; // 0 if there is nothing else
  return end != 0 &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("-._~+/").find(c) != std::string_view::npos;
         });
}

// Clients take the token from an environment variable, and send ${NAME} if it is not set.
bool namesVariable(std::string_view token) noexcept {
  const bool isBraced = token.starts_with("${") && token.ends_with('}');
  const bool isWindows = token.size() > 2 && token.starts_with('%') && token.ends_with('%');
  return isBraced || isWindows || token.starts_with('$');
}

Bearer malformedBearer(std::string_view why) { return {Bearer::State::Malformed, {}, why}; }

} // namespace

Bearer bearerOf(const HttpRequest &request) {
  if (namesParameter(request.query, "access_token"))
    return malformedBearer("send the access token in the Authorization header, never in the query");
  if (request.count("authorization") > 1)
    return malformedBearer("there is more than one Authorization header");
  const auto field = request.field("authorization");
  if (!field) return {};
  const std::size_t space = std::min(field->find(' '), field->size());
  if (!isBearer(field->substr(0, space))) return {};
  std::string_view token = field->substr(space);
  token.remove_prefix(std::min(token.find_first_not_of(' '), token.size()));
  if (namesVariable(token))
    return {Bearer::State::Unset,
            {},
            "the Authorization header has the name of a variable in place of its value: set the "
            "variable of the environment where the client starts"};
  if (token.empty())
    return malformedBearer(
        "the Authorization header has no token: is the variable set that the client "
        "takes it from?");
  if (!isToken68(token))
    return malformedBearer("the Authorization header holds no well-formed token");
  return {Bearer::State::Present, token, {}};
}

} // namespace skillhost
