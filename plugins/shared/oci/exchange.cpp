// SPDX-License-Identifier: Apache-2.0
#include "exchange.hpp"

#include "manifest.hpp"

#include "http_client/url.hpp"
#include "http_client/web_address.hpp"
#include "remote/schedule.hpp"
#include "remote/trouble.hpp"

namespace skillhost::oci {
namespace {

constexpr long minBytesPerSecond = 256; // bytes per second
// Bytes kept of an answer with an error status.
constexpr std::size_t maxErrorBytes = std::size_t{64} << 10U;

class Running {
public:
  Running(web::Connections &connections, remote::Operation &operation, const Request &request)
      : connections_(connections), operation_(operation), request_(request),
        exchange_(connections) {}

  Answer run(const ExchangeRules &rules) {
    const auto address = web::readWebAddress(request_.url);
    if (!address)
      throw remote::RemoteError(shownUrl(request_.url) + " is no address that can be asked");
    exchange_.start(requestFor(*address, rules));
    perform();
    finish();
    answer_.status = exchange_.status();
    answer_.contentType = exchange_.field("Content-Type");
    answer_.contentDigest = exchange_.field("Docker-Content-Digest");
    answer_.link = exchange_.field("Link");
    answer_.authenticate = exchange_.field("WWW-Authenticate");
    answer_.location = exchange_.redirect();
    if (const std::string made = exchange_.field("Location");
        answer_.location.empty() && !made.empty())
      if (const auto absolute = web::readWebAddress(made, address->url))
        answer_.location = absolute->url;
    answer_.retryAfter = remote::retryAfterPause(exchange_.retryAfter());
    return std::move(answer_);
  }

private:
  web::Request requestFor(const web::WebAddress &address, const ExchangeRules &rules) {
    web::Request request{address.url, request_.method, request_.headers, request_.body};
    // The operator did not write the target of a redirect or a challenge.
    request.isNamed = address.origin == rules.origin;
    if (request.isNamed)
      request.fields.insert(request.fields.end(), operation_.trace().begin(),
                            operation_.trace().end());
    request.agent = rules.agent;
    request.caFile = rules.caFile;
    request.proxy = web::Proxy::Guarded;
    request.host = address.host;
    request.isSecure = address.secure;
    request.allowsPrivateAddresses = rules.allowPrivateAddresses;
    request.minBytesPerSecond = minBytesPerSecond;
    request.stallTimeout = rules.stallTimeout;
    request.take = [this](std::string_view bytes) { return take(bytes); };
    return request;
  }

  void perform() {
    for (;;) {
      operation_.checkpoint();
      connections_.perform();
      if (exchange_.hasEnded()) return;
      connections_.wait(std::chrono::milliseconds(operation_.waitSliceMs()));
    }
  }

  void finish() {
    operation_.receive(0); // the operation's own error takes precedence
    exchange_.end();
    if (!exchange_.hasFailed() || isCut_) return;
    const std::string where = shownUrl(request_.url);
    if (isTooLarge_)
      throw ContentError(where + " has more than " + std::to_string(request_.maxBytes) + " bytes");
    const std::string why = where + " " + remote::troubleOf(exchange_);
    if (!exchange_.forbidden().empty()) throw remote::RemoteError(why);
    throw remote::NetworkError(why);
  }

  web::Taken take(std::string_view bytes) {
    const long status = exchange_.status();
    const bool isGood = status >= 200 && status < 300;
    const std::uint64_t most = isGood ? request_.maxBytes : maxErrorBytes;
    if (bytes.size() > most - answer_.body.size()) {
      (isGood ? isTooLarge_ : isCut_) = true;
      return web::Taken::Refused;
    }
    // If it throws, perform() calls the operation again and reports the reason.
    operation_.receive(bytes.size());
    answer_.body.append(bytes);
    return web::Taken::All;
  }

  web::Connections &connections_;
  remote::Operation &operation_;
  const Request &request_;
  bool isTooLarge_ = false, isCut_ = false;
  Answer answer_;
  web::Exchange exchange_; // last, because it uses all members above
};

} // namespace

std::string shownUrl(const std::string &url) { return std::string(web::withoutQuery(url)); }

Answer exchange(web::Connections &connections, const ExchangeRules &rules,
                remote::Operation &operation, const Request &request) {
  return Running(connections, operation, request).run(rules);
}

} // namespace skillhost::oci
