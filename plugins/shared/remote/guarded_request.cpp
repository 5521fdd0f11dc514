// SPDX-License-Identifier: Apache-2.0
#include "guarded_request.hpp"

#include "address_guard.hpp"
#include "ground/authorities.hpp"
#include "proxy.hpp"
#include "schedule.hpp"

#include <sys/socket.h>

#include <new>

namespace skillhost::remote {
namespace {

constexpr long connectMs = 15'000;
constexpr std::size_t mostHeadBytes = std::size_t{64} << 10U;

void startCurl() {
  // Never undone: other plugins of the process may use the library too. Once is enough.
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw std::bad_alloc();
}

} // namespace

CurlMany::CurlMany() : handle_((startCurl(), curl_multi_init())) {
  if (handle_ == nullptr) throw std::bad_alloc();
}

GuardedRequest::GuardedRequest(CURLM *many) : many_(many), one_(curl_easy_init()) {
  if (one_ == nullptr) throw std::bad_alloc();
}

GuardedRequest::~GuardedRequest() {
  end();
  curl_easy_cleanup(one_);
  curl_slist_free_all(headers_);
}

void GuardedRequest::prepare(const Destination &to, const std::vector<std::string> &headers) {
  end();
  curl_easy_reset(one_);
  curl_slist_free_all(headers_);
  headers_ = nullptr;
  headBytes_ = 0;
  forbidden_.clear();
  reason_.front() = '\0';
  const bool isMeant = to.isNamed && namesAddress(to.host);
  // An address that nobody meant is judged here, and not left to a proxy.
  const bool isOurs = namesAddress(to.host) && !isMeant && !to.allowPrivateAddresses;
  std::string proxy = isOurs ? std::string{} : forwarder();
  if (proxy.empty() && to.isSecure && !isOurs) proxy = proxyFor(to.host);
  isGuarded_ = !to.allowPrivateAddresses && !isMeant && proxy.empty();
  setOption(one_, CURLOPT_ERRORBUFFER, reason_.data());
  setOption(one_, CURLOPT_URL, to.url.c_str());
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
  const std::string authorities =
      to.caFile.empty() ? authoritiesInstead(curl_version_info(CURLVERSION_NOW)->cainfo)
                        : to.caFile;
  if (!authorities.empty()) setOption(one_, CURLOPT_CAINFO, authorities.c_str());
  setOption(one_, CURLOPT_USERAGENT, to.agent.c_str());
  setOption(one_, CURLOPT_CONNECTTIMEOUT_MS, connectMs);
  setOption(one_, CURLOPT_OPENSOCKETFUNCTION, &GuardedRequest::connect);
  setOption(one_, CURLOPT_OPENSOCKETDATA, this);
  setOption(one_, CURLOPT_HEADERFUNCTION, &GuardedRequest::countHead);
  setOption(one_, CURLOPT_HEADERDATA, this);
  for (const std::string &line : headers) {
    curl_slist *const longer = curl_slist_append(headers_, line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    headers_ = longer;
  }
  if (headers_ != nullptr) setOption(one_, CURLOPT_HTTPHEADER, headers_);
}

void GuardedRequest::begin() {
  if (curl_multi_add_handle(many_, one_) != CURLM_OK) throw std::bad_alloc();
  hasBegun_ = true;
}

void GuardedRequest::end() noexcept {
  if (hasBegun_) curl_multi_remove_handle(many_, one_);
  hasBegun_ = false;
}

long GuardedRequest::status() const {
  long status = 0;
  curl_easy_getinfo(one_, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

std::string GuardedRequest::header(const char *name) const {
  curl_header *found = nullptr;
  const bool isThere = curl_easy_header(one_, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK;
  return isThere ? found->value : "";
}

std::string GuardedRequest::redirect() const {
  char *text = nullptr;
  curl_easy_getinfo(one_, CURLINFO_REDIRECT_URL, &text);
  return text == nullptr ? "" : text;
}

std::optional<std::chrono::seconds> GuardedRequest::retryAfter() const {
  curl_off_t seconds = 0;
  curl_easy_getinfo(one_, CURLINFO_RETRY_AFTER, &seconds);
  return wantedWait(seconds);
}

std::string GuardedRequest::trouble(CURLcode code) const {
  if (isForbidden())
    return "leads to " + forbidden_ + ", which is no public address (allow_private_addresses)";
  return "cannot be asked: " +
         std::string(reason_.front() == '\0' ? curl_easy_strerror(code) : reason_.data());
}

std::size_t GuardedRequest::countHead(char * /*data*/, std::size_t one, std::size_t size,
                                      void *self) noexcept {
  auto &request = *static_cast<GuardedRequest *>(self);
  const std::size_t bytes = one * size;
  request.headBytes_ += bytes;
  return request.headBytes_ > mostHeadBytes ? 0 : bytes;
}

curl_socket_t GuardedRequest::connect(void *self, curlsocktype /*purpose*/,
                                      curl_sockaddr *to) noexcept {
  auto &request = *static_cast<GuardedRequest *>(self);
  if (request.isGuarded_ && isPrivateAddress(to->addr)) {
    request.forbidden_ = addressText(to->addr);
    return CURL_SOCKET_BAD;
  }
  return ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

} // namespace skillhost::remote
