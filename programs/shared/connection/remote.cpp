// SPDX-License-Identifier: Apache-2.0
#include "remote.hpp"

#include "base/log.hpp"
#include "server_address.hpp"

#include <utility>

namespace skillhost {
namespace {

HttpClient::Settings clientSettings(const ConnectSettings &settings) {
  const Result<app::HttpTarget> target = app::readTarget(settings.url);
  // Messages for this machine, and their tokens, must not go through a proxy.
  return {settings.url, settings.authorities, settings.patience, target && target->loopback};
}

// Returns true if the server was unreachable, so that it has not processed the request.
bool isAway(const AnswerEnd &end) {
  return end.end.kind == HttpEnd::Kind::NeverSent || end.end.kind == HttpEnd::Kind::Broken ||
         end.end.kind == HttpEnd::Kind::Untrusted || end.head.status == 502 ||
         end.head.status == 503 || end.head.status == 504;
}

} // namespace

Remote::Remote(const ConnectSettings &settings, std::function<void()> changed)
    : settings_(settings), tokens_(settings.token, std::move(changed)),
      client_(clientSettings(settings)) {}

bool Remote::ready() {
  if (!failure_.empty() && (probe_ != 0 || Clock::now() < nextTry_)) return false;
  const auto token = tokens_.current();
  if (!token) return false;
  const bool lacked = std::exchange(lacksToken_, !*token);
  if (lacked && !lacksToken_) failure_.clear(); // the server's state is unknown now
  if (lacksToken_) {
    markAway("there is no token to send", token->failure().message);
    return false;
  }
  token_ = **token;
  return true;
}

Remote::Number Remote::start(const char *method, HttpFields fields, std::string body,
                             Answer::Listener listener) {
  fields.insert(fields.end(), settings_.fields.begin(), settings_.fields.end());
  fields.emplace_back("User-Agent", "skillhost/" + settings_.version);
  if (!token_.empty()) fields.emplace_back("Authorization", "Bearer " + token_);
  const auto number = std::make_shared<Number>(0);
  listener.head = [this, number, next = std::move(listener.head)](const HttpHead &head) {
    if (probe_ == *number) probe_ = 0;
    if (head.status < 500) onReachable();
    if (next) next(head);
  };
  listener.end = [this, number, next = std::move(listener.end)](const AnswerEnd &end) {
    if (probe_ == *number) probe_ = 0;
    if (isAway(end))
      markAway(settings_.url.substr(0, settings_.url.find('?')), // a query may hold a secret
               end.end.why.empty() ? "HTTP status " + std::to_string(end.head.status)
                                   : end.end.why);
    next(end);
  };
  *number = client_.start({method, std::move(fields), std::move(body)},
                          std::make_shared<Answer>(std::move(listener), settings_.maxAnswerBytes));
  if (!failure_.empty()) probe_ = *number;
  return *number;
}

void Remote::stop(Number number) {
  if (probe_ == number) probe_ = 0;
  client_.stop(number);
}

bool Remote::renewToken() { return tokens_.renew(token_); }

void Remote::onReachable() {
  if (!failure_.empty()) log::info("connect", "the server is there again");
  failure_.clear();
  backoff_.reset();
}

std::string Remote::failureReason() {
  if (!failure_.empty())
    return (lacksToken_ ? "there is no token to send: "
                        : "the server cannot be reached for now: ") +
           failure_;
  const std::string waits = tokens_.pendingAction();
  return waits.empty() ? "the server cannot be reached for now: it does not answer"
                       : "there is no token to send: " + waits;
}

void Remote::markAway(const std::string &what, std::string why) {
  if (!failure_.empty() && Clock::now() < nextTry_) return; // report one failure for all exchanges
  if (failure_ != why)
    log::warning("connect", what + ": " + why + "; trying again until it is there");
  failure_ = std::move(why);
  nextTry_ = Clock::now() + backoff_.next();
}

} // namespace skillhost
