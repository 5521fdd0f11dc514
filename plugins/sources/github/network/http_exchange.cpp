// SPDX-License-Identifier: Apache-2.0
#include "http_exchange.hpp"

#include "address.hpp"
#include "address_guard.hpp"
#include "proxy.hpp"

#include <sys/socket.h>

#include <cstring>
#include <new>

namespace skillhost::github {
namespace {

constexpr std::size_t mostBody = std::size_t{16} << 20U; // of a request
constexpr long connectMs = 15'000;
constexpr long quietSeconds = 30; // without a byte

void startCurl() {
  // Never undone: other plugins of the process may use the library too. Once is enough.
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw std::bad_alloc();
}

template <class Value> void setOption(CURL *handle, CURLoption option, Value value) {
  if (curl_easy_setopt(handle, option, value) != CURLE_OK)
    throw skh::Error(SKH_FAILED, "libcurl refuses an option: it was built without TLS");
}

// The host of an origin, without user and port; an IPv6 address keeps its brackets.
std::string hostOf(const std::string &origin) {
  const std::string authority = origin.substr(origin.find("://") + 3);
  const std::size_t close = authority.find(']');
  return authority.substr(0, authority.find(':', close == authority.npos ? 0 : close));
}

} // namespace

CurlMany::CurlMany() : handle_((startCurl(), curl_multi_init())) {
  if (handle_ == nullptr) throw std::bad_alloc();
}

HttpExchange::HttpExchange(CURLM *many, const HttpAccess &access, Operation &operation,
                           const std::string &url, Kind kind)
    : many_(many), one_(curl_easy_init()), access_(access), operation_(operation),
      where_(url.starts_with(access.url) ? "the remote" : url.substr(0, url.find('?'))),
      kind_(kind) {
  if (one_ == nullptr) throw std::bad_alloc();
  try {
    prepare(url);
  } catch (...) {
    curl_slist_free_all(headers_);
    curl_easy_cleanup(one_);
    throw;
  }
}

HttpExchange::~HttpExchange() {
  if (sent_) curl_multi_remove_handle(many_, one_);
  curl_easy_cleanup(one_);
  curl_slist_free_all(headers_);
}

void HttpExchange::prepare(const std::string &url) {
  const std::string origin = originOf(url);
  const std::string host = hostOf(origin);
  const std::string proxy = origin.starts_with("https://") ? proxyFor(host) : std::string{};
  // A name that the operator wrote as an address is allowed, not one that a redirect brings.
  const bool meant = host == access_.host && namesAddress(host);
  guarded_ = !access_.allowPrivateAddresses && !meant && proxy.empty();
  setOption(one_, CURLOPT_ERRORBUFFER, reason_.data());
  setOption(one_, CURLOPT_URL, url.c_str());
  setOption(one_, CURLOPT_PROTOCOLS_STR, "http,https");
  setOption(one_, CURLOPT_FOLLOWLOCATION, 0L);
  setOption(one_, CURLOPT_PROXY, proxy.c_str());
  setOption(one_, CURLOPT_NOPROXY, "");
  setOption(one_, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  setOption(one_, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  setOption(one_, CURLOPT_QUICK_EXIT, 1L); // no waiting for a name server when it is given up
#endif
  setOption(one_, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!access_.caFile.empty()) setOption(one_, CURLOPT_CAINFO, access_.caFile.c_str());
  setOption(one_, CURLOPT_USERAGENT, access_.agent.c_str());
  setOption(one_, CURLOPT_CONNECTTIMEOUT_MS, connectMs);
  setOption(one_, CURLOPT_LOW_SPEED_LIMIT, 1L);
  setOption(one_, CURLOPT_LOW_SPEED_TIME, quietSeconds);
  setOption(one_, CURLOPT_OPENSOCKETFUNCTION, &HttpExchange::connect);
  setOption(one_, CURLOPT_OPENSOCKETDATA, this);
  setOption(one_, CURLOPT_WRITEFUNCTION, &HttpExchange::receive);
  setOption(one_, CURLOPT_WRITEDATA, this);
  if (!access_.token.empty() && origin == originOf(access_.url)) {
    setOption(one_, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    setOption(one_, CURLOPT_USERNAME, access_.user.c_str());
    setOption(one_, CURLOPT_PASSWORD, access_.token.c_str());
  }
  if (kind_ == Kind::get) return;
  for (const char *const header : {"Content-Type: application/x-git-upload-pack-request",
                                   "Accept: application/x-git-upload-pack-result", "Expect:"}) {
    curl_slist *const longer = curl_slist_append(headers_, header);
    if (longer == nullptr) throw std::bad_alloc();
    headers_ = longer;
  }
  setOption(one_, CURLOPT_HTTPHEADER, headers_);
}

void HttpExchange::write(std::string_view bytes) {
  if (sent_ || bytes.size() > mostBody - body_.size())
    throw skh::Error(SKH_TOO_LARGE, where_ + ": there is too much to ask for at once");
  body_.append(bytes);
}

void HttpExchange::send() {
  if (kind_ == Kind::post) {
    setOption(one_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body_.size()));
    setOption(one_, CURLOPT_POSTFIELDS, body_.data());
  }
  if (curl_multi_add_handle(many_, one_) != CURLM_OK) throw std::bad_alloc();
  sent_ = true;
}

// Goes on until there is something to read, or the end.
void HttpExchange::proceed() {
  if (!sent_) send();
  while (!done_ && taken_ == received_.size()) {
    operation_.checkpoint();
    received_.clear();
    taken_ = 0;
    int running = 0;
    if (curl_multi_perform(many_, &running) != CURLM_OK) throw std::bad_alloc();
    if (running == 0) {
      int left = 0;
      const CURLMsg *const message = curl_multi_info_read(many_, &left);
      finish(message == nullptr ? CURLE_FAILED_INIT : message->data.result);
    } else if (received_.empty()) {
      curl_multi_poll(many_, nullptr, 0, operation_.patience(), nullptr);
    }
  }
}

void HttpExchange::finish(CURLcode code) {
  done_ = true;
  if (code == CURLE_OK) return;
  operation_.receive(0); // its own refusal comes first
  operation_.checkpoint();
  if (!refusedAddress_.empty())
    throw RemoteError(where_ + " leads to " + refusedAddress_ +
                      ", which is no public address (allow_private_addresses)");
  const char *const why = reason_.front() == '\0' ? curl_easy_strerror(code) : reason_.data();
  throw RemoteError(where_ + " cannot be asked: " + why);
}

std::string HttpExchange::awaitHead() {
  proceed();
  long status = 0;
  curl_easy_getinfo(one_, CURLINFO_RESPONSE_CODE, &status);
  char *text = nullptr;
  if (status >= 300 && status < 400) {
    curl_easy_getinfo(one_, CURLINFO_REDIRECT_URL, &text);
    if (text != nullptr) return text;
  }
  if (status != 200) refuse(status);
  curl_easy_getinfo(one_, CURLINFO_CONTENT_TYPE, &text);
  const std::string expected = std::string("application/x-git-upload-pack-") +
                               (kind_ == Kind::get ? "advertisement" : "result");
  if (text == nullptr || !std::string_view(text).starts_with(expected))
    throw RemoteError(where_ + " answers, but does not speak git's smart protocol");
  return {};
}

void HttpExchange::refuse(long status) {
  curl_off_t seconds = 0;
  curl_easy_getinfo(one_, CURLINFO_RETRY_AFTER, &seconds);
  std::string why = where_ + " answers " + std::to_string(status);
  const bool isOurs = !access_.token.empty();
  if (status == 401)
    why += isOurs ? ": the token is not accepted"
                  : ": there is no such repository, or it needs a token";
  else if (status == 403)
    why += ": reading it is not allowed";
  else if (status == 404)
    why += isOurs ? ": there is no such repository, or the token may not see it"
                  : ": there is no such repository, or it needs a token";
  else if (status == 429)
    why += ": it was asked too often";
  throw RemoteError(why, seconds > 0 ? std::optional(std::chrono::seconds(seconds)) : std::nullopt);
}

std::size_t HttpExchange::read(char *into, std::size_t most) {
  if (!sent_ && !awaitHead().empty())
    throw RemoteError(where_ + " redirects a request that was meant for it");
  proceed();
  const std::size_t size = std::min(most, received_.size() - taken_);
  std::memcpy(into, received_.data() + taken_, size);
  taken_ += size;
  return size;
}

std::size_t HttpExchange::receive(char *data, std::size_t one, std::size_t size, void *self) {
  auto &exchange = *static_cast<HttpExchange *>(self);
  try {
    exchange.operation_.receive(one * size);
    exchange.received_.append(data, one * size);
  } catch (const std::exception &) {
    return 0; // finish() says why
  }
  return one * size;
}

curl_socket_t HttpExchange::connect(void *self, curlsocktype /*purpose*/, curl_sockaddr *to) {
  auto &exchange = *static_cast<HttpExchange *>(self);
  if (exchange.guarded_ && isPrivateAddress(to->addr)) {
    exchange.refusedAddress_ = addressText(to->addr);
    return CURL_SOCKET_BAD;
  }
  return ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

} // namespace skillhost::github
