// SPDX-License-Identifier: Apache-2.0
#include "login/web.hpp"

#include "ground/readiness.hpp"
#include "http_client/url.hpp"
#include "server_address.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace skillhost {
namespace {

constexpr std::size_t maxBodyBytes = 1U << 20U;
constexpr std::chrono::seconds answerTime{30};

class WholeAnswer final : public HttpReceiver {
public:
  void head(const HttpHead &head) override {
    answer.status = head.status;
    answer.challenge = head.challenge;
  }
  bool take(std::string_view bytes) override {
    answer.body += bytes;
    return answer.body.size() <= maxBodyBytes;
  }
  void end(const HttpEnd &end) override { ended = end; }

  WebAnswer answer;
  std::optional<HttpEnd> ended;
};

std::string withoutQuery(const std::string &url) { return std::string(web::withoutQuery(url)); }

} // namespace

Web webOf(const LoginSettings &settings, int stop) {
  const Result<app::HttpTarget> server = app::readTarget(settings.url);
  return [rules = WebRules{settings.authorities, settings.connecting, settings.allowPlainToken,
                           "skillhost/" + settings.version, stop, server && server->loopback}](
             const std::string &url, WebCall call) { return request(rules, url, std::move(call)); };
}

Result<WebAnswer> request(const WebRules &web, const std::string &url, WebCall ask) {
  const Result<app::HttpTarget> target = app::readTarget(url);
  if (!target) return {Fault::Denied, target.failure().message};
  if (!target->secure && !target->loopback && !web.allowPlain)
    return {Fault::Denied, withoutQuery(url) +
                               ": what is sent there could be read on the way: https is needed, or "
                               "--allow-plain-token when the network is trusted"};
  if (target->loopback && !web.allowLoopback)
    return {Fault::Denied, withoutQuery(url) +
                               ": the server is on another machine, and yet names an address of "
                               "this one for signing in"};
  ask.fields.emplace_back("User-Agent", web.agent);
  if (std::none_of(ask.fields.begin(), ask.fields.end(),
                   [](const auto &field) { return field.first == "Accept"; }))
    ask.fields.emplace_back("Accept", "application/json");
  const auto receiver = std::make_shared<WholeAnswer>();
  HttpClient client({url, web.authorities, web.connecting, target->loopback});
  client.start({std::move(ask.method), std::move(ask.fields), std::move(ask.body)}, receiver);
  const Deadline deadline = Deadline::after(answerTime);
  while (!receiver->ended) {
    if (deadline.passed())
      return {Fault::Unavailable, withoutQuery(url) + ": no answer within 30 s"};
    if (const Status stopped = awaitReadiness({web.stop, Direction::In}, -1, Deadline::after({}));
        stopped)
      return {Fault::Cancelled, "stopped"};
    client.work(std::chrono::milliseconds(500), web.stop);
  }
  const HttpEnd &end = *receiver->ended;
  if (end.kind == HttpEnd::Kind::Untrusted)
    return {Fault::Denied, withoutQuery(url) + ": its certificate is not trusted: " + end.why +
                               "; name the authority that signed it with --ca-file"};
  if (end.kind != HttpEnd::Kind::Complete)
    return {Fault::Unavailable, withoutQuery(url) + ": " + end.why};
  return std::move(receiver->answer);
}

} // namespace skillhost
