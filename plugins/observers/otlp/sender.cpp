// SPDX-License-Identifier: Apache-2.0
#include "sender.hpp"

#include "http_client/exchange.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <utility>

namespace skillhost::telemetry {
namespace {

constexpr std::size_t maxAnswerBytes = 64U << 10U; // bytes
constexpr std::chrono::milliseconds connectTime{5'000};

constexpr std::chrono::milliseconds patience{200}; // interval of the checks whether it is cancelled

} // namespace

struct Sender::Handle {
  web::Connections connections;
  web::Exchange exchange{connections};
};

Sender::Sender(const Settings &settings, std::function<bool()> cancelled)
    : settings_(settings), cancelled_(std::move(cancelled)) {}

Sender::~Sender() = default;

Delivery Sender::send(std::string_view path, const std::string &body) {
  Delivery delivery;
  web::Request request{settings_.endpoint + std::string(path), "POST"};
  request.fields = {"Content-Type: application/json",
                    "Expect:"}; // avoids a pause before a body that the collector accepts anyway
  for (const auto &[name, value] : settings_.headers) request.fields.push_back(name + ": " + value);
  request.body = body;
  request.agent = "skillhost/" + settings_.serviceVersion;
  request.caFile = settings_.caFile;
  // Proxies of the environment are ignored: telemetry and its token go only to the configured
  // collector.
  request.proxy = web::Proxy::None;
  request.connectLimit = connectTime;
  request.totalLimit = settings_.requestTime;
  request.take = [&delivery](std::string_view bytes) {
    if (delivery.body.size() < maxAnswerBytes)
      delivery.body.append(bytes.substr(0, maxAnswerBytes - delivery.body.size()));
    return web::Taken::All;
  };
  // The thread that sends must survive a lack of memory. Items that were not sent are counted as
  // lost.
  try {
    if (!handle_) handle_ = std::make_unique<Handle>();
    web::Exchange &exchange = handle_->exchange;
    exchange.start(std::move(request));
    for (;;) {
      handle_->connections.perform();
      if (exchange.hasEnded()) break;
      if (cancelled_()) {
        exchange.end();
        delivery.reason = "skillhost is stopping";
        return delivery;
      }
      handle_->connections.wait(patience);
    }
    exchange.end();
    if (exchange.hasFailed()) {
      delivery.reason = exchange.reason();
      return delivery;
    }
    delivery.status = exchange.status();
    if (const std::int64_t seconds = exchange.retryAfter(); seconds > 0)
      delivery.retryAfter = std::chrono::seconds(seconds);
  } catch (const std::bad_alloc &) {
    handle_.reset();
    delivery.reason = "there is not enough memory";
    return delivery;
  } catch (const std::exception &error) {
    handle_.reset(); // the next batch makes a new one
    delivery.reason = error.what();
    return delivery;
  }
  return delivery;
}

} // namespace skillhost::telemetry
