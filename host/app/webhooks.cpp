// SPDX-License-Identifier: Apache-2.0
#include "webhooks.hpp"

#include "base/hmac.hpp"
#include "base/log.hpp"

namespace skillhost::app {
namespace {

constexpr std::string_view plainText = "text/plain; charset=utf-8";
constexpr std::string_view scheme = "sha256=";
// What an unknown hook's signature is compared with, so that it takes as long as a known one's.
constexpr std::string_view nobodysSecret = "no source has this secret";

std::string_view signatureOf(const HttpRequest &request) {
  const std::string_view given = request.field("x-hub-signature-256").value_or("");
  return given.starts_with(scheme) ? given.substr(scheme.size()) : std::string_view{};
}

} // namespace

Webhooks::Webhooks(const Configuration &configuration, Library &library, Audit &audit)
    : library_(library), audit_(audit) {
  for (const SourceConfiguration &source : configuration.sources)
    if (source.enabled && source.webhookSecret)
      secrets_.emplace(source.name, Secret(*source.webhookSecret));
}

void Webhooks::handle(HttpExchange &exchange) const {
  const HttpRequest &request = exchange.request();
  if (request.method != "POST")
    return exchange.respond({405, plainText, {{"Allow", "POST"}}, Fragments("only POST\n")});
  const std::string_view name = request.path.substr(folder.size());
  const auto known = secrets_.find(name);
  const std::string_view secret = known == secrets_.end() ? nobodysSecret : known->second.reveal();
  const bool genuine = signedWithHmacSha256(request.body, secret, signatureOf(request));
  if (!genuine || known == secrets_.end()) {
    audit_.write({.what = "refused",
                  .status = 401,
                  .reason = "no such hook, or a wrong signature",
                  .subject = request.path,
                  .peer = request.peer});
    return exchange.respond({401,
                             plainText,
                             {{"Cache-Control", "no-store"}},
                             Fragments("there is no such hook, or X-Hub-Signature-256 is not the "
                                       "HMAC-SHA-256 of the body with its secret\n")});
  }
  log::info("server", "a hook asks for source " + known->first);
  library_.refresh(known->first);
  exchange.respond({202, plainText, {}, Fragments("the source is being asked\n")});
}

} // namespace skillhost::app
