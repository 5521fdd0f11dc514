// SPDX-License-Identifier: Apache-2.0
#include "client.hpp"

#include "http_client/exchange.hpp"
#include "http_client/url.hpp"

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

#include <mutex>

namespace skillhost::http {
namespace {

constexpr std::size_t maxIdleConnections = 4;
constexpr std::chrono::milliseconds patience{40}; // longest delay until a cancellation is noticed

void wipe(std::string &text) { ::explicit_bzero(text.data(), text.size()); }

// The body of a form. It may contain tokens, so it is overwritten when it is destroyed.
struct FormText {
  explicit FormText(const Request &request) {
    std::size_t most = 0; // reserved, so that the text never moves and leaves a copy behind
    for (const auto &[name, value] : request.form) most += 3 * (name.size() + value.size()) + 2;
    body.reserve(most);
    for (const auto &[name, value] : request.form) {
      std::string encoded = web::formEncoded(value);
      ((body += body.empty() ? "" : "&") += web::formEncoded(name)) += '=';
      body += encoded;
      wipe(encoded);
    }
  }
  ~FormText() { wipe(body); }
  FormText(const FormText &) = delete;
  FormText &operator=(const FormText &) = delete;
  std::string body;
};

} // namespace

// Keeps unused connections, each for one request at a time.
class Client::Idle {
public:
  explicit Idle(Options options) : options_(std::move(options)) {}
  const Options &options() const noexcept { return options_; }

  std::unique_ptr<web::Connections> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<web::Connections> one = std::move(idle_.back());
        idle_.pop_back();
        return one;
      }
    }
    return std::make_unique<web::Connections>();
  }
  void give(std::unique_ptr<web::Connections> one) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < maxIdleConnections) idle_.push_back(std::move(one));
  }

private:
  const Options options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<web::Connections>> idle_;
};

namespace {

web::Request asked(const skh::Call &call, const Request &request, const FormText &form,
                   const Options &options) {
  web::Request ask{request.url};
  // No redirect is followed, so only the intended server learns the trace of the call.
  if (!call.traceparent().empty()) {
    ask.fields.push_back("traceparent: " + std::string(call.traceparent()));
    if (!call.tracestate().empty())
      ask.fields.push_back("tracestate: " + std::string(call.tracestate()));
  }
  if (!request.form.empty()) {
    ask.method = "POST";
    ask.body = form.body;
  }
  if (!request.user.empty()) {
    ask.authentication = web::Request::Authentication::Basic;
    ask.user = request.user;
    ask.secret = request.password;
  }
  ask.agent = options.userAgent;
  ask.caFile = options.caFile;
  ask.proxy = web::Proxy::Forwarder;
  ask.connectLimit = options.connectLimit;
  ask.totalLimit = call.remaining(options.totalLimit);
  if (ask.totalLimit.count() <= 0) throw skh::Error(SKH_DEADLINE, "no time is left");
  return ask;
}

Response answered(web::Connections &connections, const skh::Call &call, const Request &request,
                  const Options &options) {
  const FormText form(request);
  Response response;
  web::Request ask = asked(call, request, form, options);
  ask.take = [&](std::string_view bytes) {
    if (bytes.size() > options.maxBytes - response.body.size()) return web::Taken::Refused;
    response.body.append(bytes);
    return web::Taken::All;
  };
  web::Exchange exchange(connections);
  exchange.start(std::move(ask));
  for (;;) {
    connections.perform();
    if (exchange.hasEnded()) break;
    if (call.cancelled()) throw skh::Error(SKH_CANCELLED, "cancelled");
    connections.wait(patience);
  }
  response.status = exchange.status();
  if (!exchange.hasFailed()) return response;
  const std::string where(web::withoutQuery(request.url));
  if (exchange.wasRefused())
    throw skh::Error(SKH_UNAVAILABLE, where + " answers with more than " +
                                          std::to_string(options.maxBytes) + " bytes");
  throw skh::Error(SKH_UNAVAILABLE, where + " cannot be asked: " + exchange.reason());
}

} // namespace

Request::~Request() {
  for (auto &[name, value] : form) wipe(value);
}

Client::Client(Options options) : idle_(std::make_unique<Idle>(std::move(options))) {}
Client::~Client() = default;

Response Client::send(const skh::Call &call, const Request &request) {
  if (!web::isAllowedUrl(request.url))
    throw skh::Error(SKH_INVALID, std::string(web::withoutQuery(request.url)) +
                                      ": must be an https:// address (http:// is for this "
                                      "machine alone)");
  call.point();
  std::unique_ptr<web::Connections> connections = idle_->take();
  Response response = answered(*connections, call, request, idle_->options());
  idle_->give(std::move(connections)); // connections of failed requests are not reused
  return response;
}

} // namespace skillhost::http
