// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include <algorithm>

namespace skillhost::remote {
namespace {

constexpr long slowest = 256; // bytes a second
constexpr int mostRedirects = 3;
constexpr std::size_t longestTag = 1'024;

std::string withoutQuery(const std::string &url) { return url.substr(0, url.find('?')); }

std::string wordsFor(long status, bool withToken) {
  std::string said = "answers " + std::to_string(status);
  switch (status) {
  case 401:
    return said + (withToken ? ": the token is not accepted" : ": it needs a token");
  case 403:
    return said + ": reading it is not allowed";
  case 404:
  case 410:
    return said + ": there is no such file";
  case 429:
    return said + ": it was asked too often";
  default:
    return said;
  }
}

} // namespace

bool Fetcher::Transfer::start() { return ask(wanted_.url); }

bool Fetcher::Transfer::fail(const std::string &why) {
  result_.body.clear();
  result_.failure = where_ + " " + why;
  return false;
}

bool Fetcher::Transfer::ask(const std::string &url) {
  where_ = withoutQuery(url);
  const std::optional<WebAddress> address = readWebAddress(url);
  if (!address) return fail("is no address that can be asked");
  const auto &origins = rules_.origins;
  if (std::find(origins.begin(), origins.end(), address->origin) == origins.end())
    return fail("is of another origin, " + address->origin + ", which allow_origins does not name");
  prepare(*address);
  request_.begin();
  return true;
}

void Fetcher::Transfer::prepare(const WebAddress &address) {
  result_ = {};
  std::vector<std::string> headers;
  if (!wanted_.etag.empty()) headers.push_back("If-None-Match: " + wanted_.etag);
  const bool isFirst = address.origin == rules_.origins.front();
  if (isFirst && !rules_.token.empty()) headers.push_back("Authorization: Bearer " + rules_.token);
  if (isFirst) headers.insert(headers.end(), operation_.trace().begin(), operation_.trace().end());
  // An origin was named by who wrote the rules.
  request_.prepare({address.url, address.host, address.secure, true, rules_.caFile, rules_.agent,
                    rules_.allowPrivateAddresses},
                   headers);
  CURL *const handle = request_.handle();
  setOption(handle, CURLOPT_PRIVATE, this);
  setOption(handle, CURLOPT_LOW_SPEED_LIMIT, slowest);
  setOption(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(rules_.quiet.count()));
  setOption(handle, CURLOPT_WRITEFUNCTION, &Transfer::receive);
  setOption(handle, CURLOPT_WRITEDATA, this);
}

bool Fetcher::Transfer::finish(CURLcode code) {
  request_.end();
  if (code != CURLE_OK) {
    if (tooLarge_) return !fail("has more than " + std::to_string(wanted_.mostBytes) + " bytes");
    result_.mayPass = !request_.isForbidden();
    return !fail(request_.trouble(code));
  }
  const long status = request_.status();
  result_.status = static_cast<int>(status);
  const std::string target = request_.redirect();
  if (status >= 300 && status < 400 && status != 304 && !target.empty()) {
    if (++followed_ > mostRedirects) return !fail("redirects too often");
    const std::string from = where_;
    if (ask(target)) return false;
    result_.failure = from + " redirects: " + result_.failure;
    return true;
  }
  result_.retryAfter = request_.retryAfter();
  if (std::string tag = request_.header("ETag"); tag.size() <= longestTag)
    result_.etag = std::move(tag);
  const bool isGood = status == 200 || (status == 304 && !wanted_.etag.empty());
  result_.mayPass = !isGood && (status == 408 || status == 429 || status >= 500);
  if (!isGood) return !fail(wordsFor(status, !rules_.token.empty()));
  return true;
}

std::size_t Fetcher::Transfer::receive(char *data, std::size_t one, std::size_t size,
                                       void *self) noexcept {
  auto &transfer = *static_cast<Transfer *>(self);
  const std::size_t bytes = one * size;
  transfer.tooLarge_ = bytes > transfer.wanted_.mostBytes - transfer.result_.body.size();
  if (transfer.tooLarge_) return 0;
  try {
    transfer.operation_.receive(bytes);
    transfer.result_.body.append(data, bytes);
  } catch (const std::exception &) {
    return 0; // the operation is asked again, and says why
  }
  return bytes;
}

} // namespace skillhost::remote
