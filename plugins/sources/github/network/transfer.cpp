// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include "address.hpp"
#include "ground/url.hpp"
#include "remote/trouble.hpp"

#include <cstring>

namespace skillhost::github {

namespace {

constexpr std::size_t maxBodyBytes = std::size_t{16} << 20U; // limit of a request
constexpr std::chrono::seconds stallTimeout{30};             // time without a byte

// Returns the host of an origin that contains no user.
std::string hostOf(const std::string &origin) {
  const auto parts = urlParts(origin);
  return parts ? std::string(withoutPort(parts->authority)) : std::string();
}

} // namespace

Transfer::Transfer(web::Connections &connections, const HttpRules &rules,
                   remote::Operation &operation, HttpRequest request)
    : connections_(connections), rules_(rules), operation_(operation), request_(std::move(request)),
      exchange_(connections) {}

void Transfer::write(std::string_view bytes) {
  if (sent_ || bytes.size() > maxBodyBytes - body_.size())
    throw skh::Error(SKH_TOO_LARGE, where() + ": there is too much to ask for at once");
  body_.append(bytes);
}

void Transfer::send() {
  const std::string origin = originOf(request_.url);
  web::Request request{request_.url};
  if (request_.isPost) {
    request.method = "POST";
    request.body = body_;
  }
  request.fields = request_.headers;
  request.authentication = request_.authentication;
  request.user = request_.user;
  request.secret = request_.secret;
  request.agent = rules_.agent;
  request.caFile = rules_.caFile;
  request.proxy = web::Proxy::Guarded;
  request.host = hostOf(origin);
  request.isSecure = origin.starts_with("https://");
  // The operator did not write the target of a redirect.
  request.isNamed = request.host == rules_.host;
  request.allowsPrivateAddresses = rules_.allowPrivateAddresses;
  request.mayBeCompressed = request_.mayBeCompressed;
  request.minBytesPerSecond = 1;
  request.stallTimeout = stallTimeout;
  request.take = [this](std::string_view bytes) {
    operation_.receive(bytes.size()); // if it throws, finish() reports the reason
    received_.append(bytes);
    return web::Taken::All;
  };
  exchange_.start(std::move(request));
  sent_ = true;
}

// Continues until there is something to read, or the end.
void Transfer::proceed() {
  if (!sent_) send();
  while (!done_ && consumed_ == received_.size()) {
    operation_.checkpoint();
    received_.clear();
    consumed_ = 0;
    connections_.perform();
    if (exchange_.hasEnded())
      finish();
    else if (received_.empty())
      connections_.wait(std::chrono::milliseconds(operation_.waitSliceMs()));
  }
}

void Transfer::finish() {
  done_ = true;
  if (!exchange_.hasFailed()) return;
  operation_.receive(0); // its own error takes precedence
  operation_.checkpoint();
  const std::string why = where() + " " + remote::troubleOf(exchange_);
  if (!exchange_.forbidden().empty()) throw remote::RemoteError(why);
  throw remote::NetworkError(why);
}

long Transfer::awaitHead() {
  proceed();
  return exchange_.status();
}

std::size_t Transfer::read(char *into, std::size_t maxBytes) {
  proceed();
  const std::size_t size = std::min(maxBytes, received_.size() - consumed_);
  std::memcpy(into, received_.data() + consumed_, size);
  consumed_ += size;
  return size;
}

} // namespace skillhost::github
