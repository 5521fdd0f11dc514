// SPDX-License-Identifier: Apache-2.0
#include "credential.hpp"

#include "http_client/connections.hpp"
#include "http_client/exchange.hpp"
#include "http_client/url.hpp"
#include "http_client/web_address.hpp"
#include "remote/schedule.hpp"
#include "remote/token_command.hpp"
#include "remote/trouble.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace skillhost::mcp_source {
namespace {

constexpr std::size_t maxAnswerBytes = std::size_t{1} << 20U;
constexpr std::chrono::milliseconds answerTime{30'000};
// Pause before a token that is still good is to be renewed again.
constexpr std::chrono::seconds renewalPause{10};

std::optional<ClientGrant> grantOf(const Settings &settings) {
  if (!settings.client) return std::nullopt;
  const ClientSettings &client = *settings.client;
  GrantSettings grant;
  grant.url = settings.address.url;
  grant.scope = client.scope;
  grant.clientId = client.id;
  grant.issuer = client.issuer;
  grant.tokenEndpoint = client.grantUrl;
  grant.names = {"issuer", "token"};
  grant.secret = [secret = client.secret] { return Result<std::string>(secret); };
  return ClientGrant(std::move(grant));
}

std::string hostOf(const std::string &url) {
  const auto address = web::readWebAddress(url);
  return address ? address->host : std::string();
}

} // namespace

Credential::Credential(const Settings &settings, std::string agent)
    : settings_(settings), agent_(std::move(agent)), grant_(grantOf(settings)),
      token_(settings.token) {}

std::string Credential::known() {
  const std::lock_guard lock(mutex_);
  return token_;
}

std::string Credential::current(remote::Operation &operation) {
  if (!grant_ && settings_.tokenCommand.empty()) return settings_.token;
  std::unique_lock lock(mutex_);
  while (isFetching_) {
    operation.checkpoint();
    fetched_.wait_for(lock, std::chrono::milliseconds(operation.waitSliceMs()));
  }
  if (!token_.empty() && Clock::now() < renewal_) return token_;
  isFetching_ = true;
  const std::string refused = std::exchange(refused_, {});
  lock.unlock();
  AccessToken got;
  std::exception_ptr failure;
  bool isAway = false; // the authorization server, or the program that prints tokens
  try {
    got = fetch(operation, refused);
  } catch (const remote::RefusedError &) {
    failure = std::current_exception();
  } catch (const remote::RemoteError &) {
    failure = std::current_exception();
    isAway = true;
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  isFetching_ = false;
  fetched_.notify_all();
  if (failure) {
    if (!isAway || token_.empty() || Clock::now() >= end_) std::rethrow_exception(failure);
    // The token is good until its end.
    renewal_ = Clock::now() + renewalPause;
    return token_;
  }
  token_ = got.text;
  renewal_ = renewalOf(got, Clock::now());
  end_ = got.expires ? *got.expires : expiryOf(got.text).value_or(Clock::time_point::max());
  return token_;
}

bool Credential::refuse(const std::string &token) {
  if (!grant_ && settings_.tokenCommand.empty()) return false;
  const std::lock_guard lock(mutex_);
  // Another thread may have got a new token meanwhile.
  if (token_ == token) refused_ = std::exchange(token_, {});
  return true;
}

AccessToken Credential::fetch(remote::Operation &operation, const std::string &refused) {
  if (grant_) return fetchGrant(operation, refused);
  return {remote::tokenFrom(settings_.tokenCommand, operation), {}};
}

AccessToken Credential::fetchGrant(remote::Operation &operation, const std::string &refused) {
  std::optional<std::chrono::seconds> pause;
  const Web web = [&](const std::string &url, const WebCall &call) {
    return ask(operation, url, call, pause);
  };
  Result<AccessToken> token = grant_->token(web, refused);
  if (token) return *std::move(token);
  const Failure &failure = token.failure();
  if (failure.fault == Fault::Denied) throw remote::RefusedError(failure.message, pause);
  throw remote::RemoteError(failure.message, pause);
}

// The host of an address that the operator wrote may be on this machine or in a private network.
bool Credential::isNamed(const std::string &host) const {
  return host == settings_.address.host || host == hostOf(settings_.client->issuer) ||
         host == hostOf(settings_.client->grantUrl);
}

Result<WebAnswer> Credential::ask(remote::Operation &operation, const std::string &url,
                                  const WebCall &call,
                                  std::optional<std::chrono::seconds> &pause) const {
  const std::string shown(web::withoutQuery(url));
  const auto address = web::readWebAddress(url);
  if (!address || !web::isAllowedUrl(address->url))
    return {Fault::Denied, shown + ": must be an https:// address for the client secret and the "
                                   "token (http:// is for this machine alone)"};
  WebAnswer answer;
  web::Request request{address->url, call.method};
  bool hasAccept = false;
  for (const auto &[name, value] : call.fields) {
    request.fields.push_back(name + ": " + value);
    hasAccept |= name == "Accept";
  }
  if (!hasAccept) request.fields.emplace_back("Accept: application/json");
  request.fields.emplace_back("Expect:"); // no 100-continue: it costs a round trip
  if (call.method == "POST") request.body = call.body;
  request.agent = agent_;
  request.caFile = settings_.caFile;
  request.proxy = web::Proxy::Guarded;
  request.host = address->host;
  request.isSecure = address->secure;
  request.isNamed = isNamed(address->host);
  request.allowsPrivateAddresses = settings_.allowPrivateAddresses;
  request.totalLimit = answerTime;
  request.take = [&](std::string_view bytes) {
    operation.receive(bytes.size());
    if (bytes.size() > maxAnswerBytes - answer.body.size()) return web::Taken::Refused;
    answer.body += bytes;
    return web::Taken::All;
  };
  web::Connections connections;
  web::Exchange exchange(connections);
  exchange.start(std::move(request));
  for (;;) {
    operation.checkpoint();
    connections.perform();
    operation.receive(0); // throws again what it threw in take()
    if (exchange.hasEnded()) break;
    connections.wait(std::chrono::milliseconds(operation.waitSliceMs()));
  }
  if (exchange.wasRefused())
    return {Fault::Unavailable,
            shown + ": the answer has more than " + std::to_string(maxAnswerBytes) + " bytes"};
  if (exchange.hasFailed())
    return {exchange.forbidden().empty() && !exchange.isUntrusted() ? Fault::Unavailable
                                                                    : Fault::Denied,
            shown + ' ' + remote::troubleOf(exchange)};
  answer.status = static_cast<int>(exchange.status());
  answer.challenge = exchange.field("WWW-Authenticate");
  if (answer.status == 429 || answer.status == 503)
    pause = remote::retryAfterPause(exchange.retryAfter());
  return answer;
}

} // namespace skillhost::mcp_source
