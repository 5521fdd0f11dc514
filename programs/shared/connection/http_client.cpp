// SPDX-License-Identifier: Apache-2.0
#include "http_client.hpp"

#include "http_client/exchange.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

struct Running {
  explicit Running(web::Connections &connections) : exchange(connections) {}
  HttpCall ask;
  std::shared_ptr<HttpReceiver> receiver;
  bool stopped = false;
  web::Exchange exchange; // last: it uses all of the above
};

HttpHead headOf(const web::Exchange &exchange) {
  HttpHead head;
  head.status = static_cast<int>(exchange.status());
  head.type = mediaTypeOf(exchange.field("Content-Type"));
  head.session = exchange.field("Mcp-Session-Id");
  head.retryAfter = exchange.field("Retry-After");
  head.location = exchange.redirect();
  if (head.location.empty()) head.location = exchange.field("Location");
  for (const std::string &challenge : exchange.fields("WWW-Authenticate"))
    head.challenge += (head.challenge.empty() ? "" : ", ") + challenge;
  return head;
}

HttpEnd::Kind kindOf(const web::Exchange &exchange) {
  if (!exchange.hasFailed()) return HttpEnd::Kind::Complete;
  if (exchange.wasRefused()) return HttpEnd::Kind::TooLarge;
  if (exchange.isUntrusted()) return HttpEnd::Kind::Untrusted;
  return exchange.wasSent() ? HttpEnd::Kind::Broken : HttpEnd::Kind::NeverSent;
}

} // namespace

class HttpClient::Exchanges {
public:
  explicit Exchanges(Settings settings) : settings_(std::move(settings)) {}

  Number start(HttpCall ask, std::shared_ptr<HttpReceiver> receiver) {
    auto running = std::make_unique<Running>(connections_);
    running->ask = std::move(ask);
    running->receiver = std::move(receiver);
    running->exchange.start(requestOf(*running));
    running_.emplace(++last_, std::move(running));
    return last_;
  }

  // Only marks the exchange, because libcurl or its receiver may be using it now.
  void stop(Number number) {
    const auto found = running_.find(number);
    if (found == running_.end()) return;
    found->second->stopped = true;
    stopped_.push_back(number);
  }

  void pause(bool paused) {
    if (std::exchange(paused_, paused) == paused || paused) return;
    for (auto &[number, running] : running_) running->exchange.resume();
  }

  void work(std::chrono::milliseconds timeout, int wake) {
    clean();
    connections_.perform();
    if (!tellEnds()) {
      connections_.wait(timeout, wake);
      connections_.perform();
      tellEnds();
    }
    clean();
  }

private:
  web::Request requestOf(Running &running) const {
    web::Request request{settings_.url, running.ask.method};
    if (request.method == "POST") request.body = running.ask.body;
    for (const auto &[name, value] : running.ask.fields)
      request.fields.push_back(name + (value.empty() ? ":" : ": ") + value);
    request.fields.emplace_back("Expect:"); // no 100-continue: it costs a round trip
    request.caFile = settings_.authorities;
    request.trustsCaFileAlone = true;
    request.proxy = settings_.direct ? web::Proxy::None : web::Proxy::Environment;
    request.connectLimit = settings_.connecting;
    request.findsDeadPeers = true;
    request.onHead = [&running] {
      if (!running.stopped) running.receiver->head(headOf(running.exchange));
    };
    request.take = [this, &running](std::string_view bytes) {
      if (paused_) return web::Taken::Later;
      const bool isWanted = !running.stopped && running.receiver->take(bytes);
      return isWanted ? web::Taken::All : web::Taken::Refused;
    };
    return request;
  }

  void clean() {
    for (const Number number : std::exchange(stopped_, {})) running_.erase(number);
  }

  // Reports ended exchanges to their receivers, and returns true if there were any. A receiver may
  // stop another ended exchange, so each search starts from the beginning.
  bool tellEnds() {
    bool any = false;
    const auto hasEnded = [](const auto &one) { return one.second->exchange.hasEnded(); };
    for (;;) {
      const auto found = std::find_if(running_.begin(), running_.end(), hasEnded);
      if (found == running_.end()) return any;
      any = true;
      const std::unique_ptr<Running> running = std::move(found->second);
      running_.erase(found);
      running->exchange.end();
      if (!running->stopped)
        running->receiver->end({kindOf(running->exchange), running->exchange.reason()});
    }
  }

  const Settings settings_;
  web::Connections connections_;
  std::map<Number, std::unique_ptr<Running>> running_;
  std::vector<Number> stopped_;
  Number last_ = 0;
  bool paused_ = false;
};

HttpClient::HttpClient(Settings settings)
    : exchanges_(std::make_unique<Exchanges>(std::move(settings))) {}
HttpClient::~HttpClient() = default;

HttpClient::Number HttpClient::start(HttpCall ask, std::shared_ptr<HttpReceiver> receiver) {
  return exchanges_->start(std::move(ask), std::move(receiver));
}
void HttpClient::stop(Number number) { exchanges_->stop(number); }
void HttpClient::pause(bool paused) { exchanges_->pause(paused); }
void HttpClient::work(std::chrono::milliseconds timeout, int wake) {
  exchanges_->work(timeout, wake);
}

} // namespace skillhost
