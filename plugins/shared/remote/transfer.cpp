// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include "address_guard.hpp"
#include "proxy.hpp"
#include "safe_options.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <new>

namespace skillhost::remote {
namespace {

constexpr long slowest = 256; // bytes a second
constexpr int mostRedirects = 3;
constexpr std::size_t mostHeaderBytes = std::size_t{64} << 10U;
constexpr std::size_t longestTag = 1'024;

std::string withoutQuery(const std::string &url) { return url.substr(0, url.find('?')); }

// The value of the line when it is that field; the name in lower case.
std::optional<std::string> fieldOf(std::string_view line, std::string_view name) {
  const bool isIt = line.size() > name.size() && line[name.size()] == ':' &&
                    std::equal(name.begin(), name.end(), line.begin(), [](char a, char b) {
                      return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b);
                    });
  if (!isIt) return {};
  line.remove_prefix(name.size() + 1);
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos) return {};
  return std::string(line.substr(begin, line.find_last_not_of(" \t\r\n") + 1 - begin));
}

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

Fetcher::Transfer::Transfer(CURLM *many, const FetchRules &rules, Operation &operation,
                            const Wanted &wanted, std::size_t which)
    : many_(many), one_(curl_easy_init()), rules_(rules), operation_(operation), wanted_(wanted),
      which_(which) {
  if (one_ == nullptr) throw std::bad_alloc();
}

Fetcher::Transfer::~Transfer() {
  leave();
  curl_easy_cleanup(one_);
  curl_slist_free_all(headers_);
}

void Fetcher::Transfer::leave() {
  if (added_) curl_multi_remove_handle(many_, one_);
  added_ = false;
}

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
  if (curl_multi_add_handle(many_, one_) != CURLM_OK) throw std::bad_alloc();
  added_ = true;
  return true;
}

void Fetcher::Transfer::addHeader(const std::string &line) {
  curl_slist *const longer = curl_slist_append(headers_, line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  headers_ = longer;
}

void Fetcher::Transfer::prepare(const WebAddress &address) {
  curl_easy_reset(one_);
  curl_slist_free_all(headers_);
  headers_ = nullptr;
  now_ = address.url;
  result_ = {};
  headerBytes_ = 0;
  reason_.front() = '\0';
  const std::string proxy = address.secure ? proxyFor(address.host) : std::string{};
  // An origin whose name is an address was meant by who wrote the rules.
  guarded_ = !rules_.allowPrivateAddresses && !namesAddress(address.host) && proxy.empty();
  setOption(one_, CURLOPT_PRIVATE, this);
  setOption(one_, CURLOPT_ERRORBUFFER, reason_.data());
  setOption(one_, CURLOPT_URL, now_.c_str());
  setSafeOptions(one_, proxy, rules_.caFile, rules_.agent);
  setOption(one_, CURLOPT_LOW_SPEED_LIMIT, slowest);
  setOption(one_, CURLOPT_LOW_SPEED_TIME, static_cast<long>(rules_.quiet.count()));
  setOption(one_, CURLOPT_OPENSOCKETFUNCTION, &Transfer::connect);
  setOption(one_, CURLOPT_OPENSOCKETDATA, this);
  setOption(one_, CURLOPT_WRITEFUNCTION, &Transfer::receive);
  setOption(one_, CURLOPT_WRITEDATA, this);
  setOption(one_, CURLOPT_HEADERFUNCTION, &Transfer::receiveHeader);
  setOption(one_, CURLOPT_HEADERDATA, this);
  if (!wanted_.etag.empty()) addHeader("If-None-Match: " + wanted_.etag);
  if (!rules_.token.empty() && address.origin == rules_.origins.front())
    addHeader("Authorization: Bearer " + rules_.token);
  setOption(one_, CURLOPT_HTTPHEADER, headers_);
}

bool Fetcher::Transfer::finish(CURLcode code) {
  leave();
  if (code != CURLE_OK) {
    if (tooLarge_) return !fail("has more than " + std::to_string(wanted_.mostBytes) + " bytes");
    if (!refusedAddress_.empty())
      return !fail("leads to " + refusedAddress_ +
                   ", which is no public address (allow_private_addresses)");
    result_.mayPass = true;
    return !fail("cannot be asked: " +
                 std::string(reason_.front() == '\0' ? curl_easy_strerror(code) : reason_.data()));
  }
  long status = 0;
  curl_easy_getinfo(one_, CURLINFO_RESPONSE_CODE, &status);
  result_.status = static_cast<int>(status);
  char *target = nullptr;
  curl_easy_getinfo(one_, CURLINFO_REDIRECT_URL, &target);
  if (status >= 300 && status < 400 && status != 304 && target != nullptr) {
    if (++followed_ > mostRedirects) return !fail("redirects too often");
    const std::string from = where_;
    if (ask(std::string(target))) return false;
    result_.failure = from + " redirects: " + result_.failure;
    return true;
  }
  curl_off_t seconds = 0;
  curl_easy_getinfo(one_, CURLINFO_RETRY_AFTER, &seconds);
  if (seconds > 0) result_.retryAfter = std::chrono::seconds(seconds);
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

std::size_t Fetcher::Transfer::receiveHeader(char *data, std::size_t one, std::size_t size,
                                             void *self) noexcept {
  auto &transfer = *static_cast<Transfer *>(self);
  const std::size_t bytes = one * size;
  transfer.headerBytes_ += bytes;
  if (transfer.headerBytes_ > mostHeaderBytes) return 0;
  try {
    if (auto tag = fieldOf({data, bytes}, "etag"); tag && tag->size() <= longestTag)
      transfer.result_.etag = *std::move(tag);
  } catch (const std::bad_alloc &) {
    return 0;
  }
  return bytes;
}

curl_socket_t Fetcher::Transfer::connect(void *self, curlsocktype /*purpose*/,
                                         curl_sockaddr *to) noexcept {
  auto &transfer = *static_cast<Transfer *>(self);
  if (transfer.guarded_ && isPrivateAddress(to->addr)) {
    transfer.refusedAddress_ = addressText(to->addr);
    return CURL_SOCKET_BAD;
  }
  return ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

} // namespace skillhost::remote
