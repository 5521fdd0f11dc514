// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include "http_client/url.hpp"
#include "schedule.hpp"
#include "trouble.hpp"

#include <algorithm>

namespace skillhost::remote {
namespace {

constexpr long minBytesPerSecond = 256;
constexpr int maxRedirects = 3;
constexpr std::size_t maxTagBytes = 1'024;

std::string wordsFor(long status, bool withToken) {
  std::string statusText = "answers " + std::to_string(status);
  switch (status) {
  case 401:
    return statusText + (withToken ? ": the token is not accepted" : ": it needs a token");
  case 403:
    return statusText + ": reading it is not allowed";
  case 404:
  case 410:
    return statusText + ": there is no such file";
  case 429:
    return statusText + ": it was asked too often";
  default:
    return statusText;
  }
}

} // namespace

bool Fetcher::Transfer::start() { return startRequest(request_.url); }

void Fetcher::Transfer::setFailure(const std::string &why) {
  result_.body.clear();
  result_.failure = where_ + " " + why;
}

bool Fetcher::Transfer::startRequest(const std::string &url) {
  where_ = web::withoutQuery(url);
  const std::optional<web::WebAddress> address = web::readWebAddress(url);
  if (!address) {
    setFailure("is no address that can be asked");
    return false;
  }
  const auto &origins = rules_.origins;
  if (std::find(origins.begin(), origins.end(), address->origin) == origins.end()) {
    setFailure("is of another origin, " + address->origin + ", which allow_origins does not name");
    return false;
  }
  result_ = {};
  exchange_.start(requestFor(*address));
  return true;
}

web::Request Fetcher::Transfer::requestFor(const web::WebAddress &address) {
  web::Request request{address.url};
  std::vector<std::string> &fields = request.fields;
  if (!request_.etag.empty()) fields.push_back("If-None-Match: " + request_.etag);
  const bool isFirst = address.origin == rules_.origins.front();
  if (isFirst && !rules_.token.empty()) fields.push_back("Authorization: Bearer " + rules_.token);
  if (isFirst) fields.insert(fields.end(), operation_.trace().begin(), operation_.trace().end());
  request.agent = rules_.agent;
  request.caFile = rules_.caFile;
  request.proxy = web::Proxy::Guarded;
  request.host = address.host;
  request.isSecure = address.secure;
  request.isNamed = true; // the operator named the origins in the rules
  request.allowsPrivateAddresses = rules_.allowPrivateAddresses;
  request.minBytesPerSecond = minBytesPerSecond;
  request.stallTimeout = rules_.stallTimeout;
  request.take = [this](std::string_view bytes) { return take(bytes); };
  return request;
}

bool Fetcher::Transfer::finish() {
  exchange_.end();
  if (exchange_.hasFailed()) {
    result_.isTemporary = !tooLarge_ && exchange_.forbidden().empty();
    setFailure(tooLarge_ ? "has more than " + std::to_string(request_.maxBytes) + " bytes"
                         : troubleOf(exchange_));
    return true;
  }
  const long status = exchange_.status();
  result_.status = static_cast<int>(status);
  const std::string target = exchange_.redirect();
  if (status >= 300 && status < 400 && status != 304 && !target.empty()) {
    if (++redirects_ > maxRedirects) {
      setFailure("redirects too often");
      return true;
    }
    const std::string from = where_;
    if (startRequest(target)) return false;
    result_.failure = from + " redirects: " + result_.failure;
    return true;
  }
  result_.retryAfter = retryAfterPause(exchange_.retryAfter());
  if (std::string tag = exchange_.field("ETag"); tag.size() <= maxTagBytes)
    result_.etag = std::move(tag);
  const bool isGood = status == 200 || (status == 304 && !request_.etag.empty());
  result_.isTemporary = !isGood && (status == 408 || status == 429 || status >= 500);
  if (!isGood) setFailure(wordsFor(status, !rules_.token.empty()));
  return true;
}

web::Taken Fetcher::Transfer::take(std::string_view bytes) {
  tooLarge_ = bytes.size() > request_.maxBytes - result_.body.size();
  if (tooLarge_) return web::Taken::Refused;
  // If receive() throws, the exchange fails and drops the exception. Fetcher::fetch() then calls
  // receive(0), which throws for the same reason, so that its caller gets the exception.
  operation_.receive(bytes.size());
  result_.body.append(bytes);
  return web::Taken::All;
}

} // namespace skillhost::remote
