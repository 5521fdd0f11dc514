// SPDX-License-Identifier: Apache-2.0
#include "password_exchange.hpp"

#include "ground/base64.hpp"

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

#include <algorithm>
#include <optional>
#include <utility>

namespace skillhost::git {
namespace {

void overwrite(std::string &text) noexcept { ::explicit_bzero(text.data(), text.size()); }

} // namespace

std::string tokenOfBasic(std::string_view authorization) {
  constexpr std::string_view scheme = "basic ";
  if (authorization.size() < scheme.size() ||
      !std::equal(scheme.begin(), scheme.end(), authorization.begin(), [](char lower, char given) {
        return lower == (given >= 'A' && given <= 'Z' ? given + ('a' - 'A') : given);
      }))
    return {};
  authorization.remove_prefix(
      std::min(authorization.find_first_not_of(' ', scheme.size()), authorization.size()));
  std::optional<std::string> both = decodeBase64(authorization);
  if (!both) return {};
  const std::size_t colon = std::min(both->find(':'), both->size());
  std::string token = both->substr(std::min(colon + 1, both->size()));
  if (token.empty()) token = both->substr(0, colon);
  overwrite(*both);
  return token;
}

PasswordExchange::PasswordExchange(std::shared_ptr<HttpExchange> inner)
    : inner_(std::move(inner)), request_(inner_->request()) {
  std::string token = tokenOfBasic(request_.field("authorization").value_or(""));
  if (token.empty()) return;
  bearer_ = "Bearer " + token;
  overwrite(token);
  for (HttpField &field : request_.fields)
    if (field.name == "authorization") field.value = bearer_;
}

PasswordExchange::~PasswordExchange() { overwrite(bearer_); }

void PasswordExchange::forgetCredentials(std::span<const std::string> further) noexcept {
  overwrite(bearer_);
  inner_->forgetCredentials(further);
}

void PasswordExchange::respond(HttpResponse response) {
  if (response.status == 401)
    response.fields.emplace_back("WWW-Authenticate", R"(Basic realm="skillhost", charset="UTF-8")");
  inner_->respond(std::move(response));
}

} // namespace skillhost::git
