// SPDX-License-Identifier: Apache-2.0
#include "webhooks.hpp"

#include "base/log.hpp"
#include "ground/random.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view scheme = "sha256=";
// A push may name 2,048 commits with their files.
constexpr std::size_t maxBodyBytes = 4U << 20U;

std::string_view signatureOf(const HttpRequest &request) {
  const std::string_view given = request.field("x-hub-signature-256").value_or("");
  return given.starts_with(scheme) ? given.substr(scheme.size()) : std::string_view{};
}

} // namespace

Webhooks::Webhooks(WebhookSecrets secrets, const HttpParts &parts)
    : server_(parts.server), audit_(parts.access.audit()) {
  set(std::move(secrets));
}

void Webhooks::set(WebhookSecrets secrets) {
  auto next = std::make_shared<const WebhookSecrets>(std::move(secrets));
  secrets_.with([&](auto &current) { current = std::move(next); });
}

// The signature identifies the sender, who may use any name of this server, so no permission and no
// host is checked.
std::vector<HttpRoute> Webhooks::routes() const {
  return {{std::string(folder), HttpRoute::Extent::Folder, {"POST"}}};
}

void Webhooks::handle(const std::shared_ptr<HttpExchange> &exchange,
                      const PrincipalPointer & /*caller*/) {
  const HttpRequest &request = exchange->request();
  if (!HmacSha256::isSignature(signatureOf(request))) return refuse(*exchange);
  // The body is read even if the hook does not exist, so that a sender without a secret learns
  // nothing about hooks.
  static const Secret nobodys(randomHex(32));
  const std::shared_ptr<const WebhookSecrets> secrets = secrets_.copy();
  const auto known = secrets->find(request.path.substr(folder.size()));
  const bool isKnown = known != secrets->end();
  const auto received =
      std::make_shared<HmacSha256>(isKnown ? known->second.reveal() : nobodys.reveal());
  exchange->readBody(
      [this, exchange, received, source = isKnown ? known->first : std::string()] {
        judge(*exchange, source, *received);
      },
      maxBodyBytes,
      [received](std::string_view bytes) {
        received->add(bytes);
        return std::size_t{0}; // nothing is kept
      });
}

void Webhooks::judge(HttpExchange &exchange, const std::string &source,
                     HmacSha256 &received) const {
  if (!received.matches(signatureOf(exchange.request()))) return refuse(exchange);
  log::info("server", "a hook requests a refresh of the source " + source);
  server_.refreshSource(source);
  exchange.respond({202, plainTextType, {}, Fragments("the source is being refreshed\n")});
}

void Webhooks::refuse(HttpExchange &exchange) const {
  const HttpRequest &request = exchange.request();
  audit_.write({.kind = "refused",
                .status = 401,
                .reason = "no such hook, or a wrong signature",
                .subject = request.path,
                .peer = request.peer});
  exchange.respond({401,
                    plainTextType,
                    {{"Cache-Control", "no-store"}},
                    Fragments("there is no such hook, or X-Hub-Signature-256 is not the "
                              "HMAC-SHA-256 of the body with the hook's secret\n")});
}

} // namespace skillhost
