// SPDX-License-Identifier: Apache-2.0
#include "http_client/exchange.hpp"

#include "curl_functions.hpp"
#include "ground/authorities.hpp"
#include "ground/text.hpp"
#include "http_client/address_guard.hpp"
#include "http_client/signal_guard.hpp"
#include "proxy.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <new>
#include <stdexcept>
#include <utility>

namespace skillhost::web {
namespace {

static_assert(CURL_ERROR_SIZE == 256); // the size of reason_

// A dead machine sends nothing. After this long without a sign of it, the connection counts as
// broken.
constexpr long silenceSeconds = 15, unansweredMilliseconds = 30'000;
// Less than servers keep idle connections, so that none ends just as it is used again.
constexpr long reuseSeconds = 15;

template <class Value> void set(void *easy, CURLoption option, Value value) {
  const CURLcode code = curl().easy_setopt(easy, option, value);
  if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  if (code != CURLE_OK)
    throw std::runtime_error("libcurl refuses an option: it is too old, or was built without TLS");
}

} // namespace

// The callbacks of libcurl. They must not throw; a wrong return count stops an exchange.
struct Exchange::Callbacks {
  static std::size_t head(char *data, std::size_t one, std::size_t size, void *self) noexcept {
    auto &exchange = *static_cast<Exchange *>(self);
    const std::size_t bytes = one * size;
    exchange.headBytes_ += bytes;
    if (exchange.headBytes_ > exchange.request_.maxHeadBytes) {
      exchange.wasRefused_ = true;
      return 0;
    }
    const std::string_view line(data, bytes);
    if ((line != "\r\n" && line != "\n") || exchange.hasHead_ || exchange.status() < 200)
      return bytes;
    exchange.hasHead_ = true;
    try {
      if (exchange.request_.onHead) exchange.request_.onHead();
    } catch (...) {
      return 0;
    }
    return bytes;
  }

  static std::size_t body(char *data, std::size_t one, std::size_t size, void *self) noexcept {
    auto &exchange = *static_cast<Exchange *>(self);
    const std::size_t bytes = one * size;
    if (!exchange.request_.take) return bytes;
    Taken outcome = Taken::Refused;
    try {
      outcome = exchange.request_.take({data, bytes});
    } catch (...) {
      outcome = Taken::Refused;
    }
    if (outcome == Taken::Later) return CURL_WRITEFUNC_PAUSE;
    exchange.wasRefused_ = outcome == Taken::Refused;
    return exchange.wasRefused_ ? 0 : bytes;
  }

  static curl_socket_t connect(void *self, curlsocktype /*purpose*/, curl_sockaddr *to) noexcept {
    auto &exchange = *static_cast<Exchange *>(self);
    if (exchange.isGuarded_ && isPrivateAddress(to->addr)) {
      exchange.forbidden_ = addressText(to->addr);
      return CURL_SOCKET_BAD;
    }
    const int made = ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
    if (made >= 0 && exchange.request_.findsDeadPeers) {
      const int span = unansweredMilliseconds;
      ::setsockopt(made, IPPROTO_TCP, TCP_USER_TIMEOUT, &span, sizeof span);
    }
    return made;
  }
};

Exchange::Exchange(Connections &connections)
    : connections_(connections), easy_(curl().easy_init()) {
  if (easy_ == nullptr) throw std::bad_alloc();
}

Exchange::~Exchange() {
  end();
  curl().easy_cleanup(easy_);
  curl().slist_free_all(static_cast<curl_slist *>(fields_));
}

void Exchange::start(Request request) {
  end();
  request_ = std::move(request);
  curl().easy_reset(easy_);
  curl().slist_free_all(static_cast<curl_slist *>(std::exchange(fields_, nullptr)));
  isGuarded_ = hasHead_ = wasRefused_ = false;
  result_.reset();
  headBytes_ = 0;
  forbidden_.clear();
  reason_.front() = '\0';
  prepare();
  if (curl().multi_add_handle(connections_.many_, easy_) != CURLM_OK) throw std::bad_alloc();
  isCarried_ = true;
}

void Exchange::end() noexcept {
  if (!std::exchange(isCarried_, false)) return;
  const SignalGuard guard; // closing TLS writes to a peer that may be gone
  curl().multi_remove_handle(connections_.many_, easy_);
}

void Exchange::resume() { curl().easy_pause(easy_, CURLPAUSE_CONT); }

void Exchange::prepare() {
  set(easy_, CURLOPT_PRIVATE, static_cast<void *>(this));
  set(easy_, CURLOPT_ERRORBUFFER, reason_.data());
  set(easy_, CURLOPT_URL, request_.url.c_str());
  set(easy_, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy_, CURLOPT_FOLLOWLOCATION, 0L);
  set(easy_, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(easy_, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  set(easy_, CURLOPT_QUICK_EXIT, 1L); // does not wait for a name server when given up
#endif
  setProxy();
  setTrust();
  setFields();
  set(easy_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.connectLimit.count()));
  if (request_.totalLimit.count() > 0)
    set(easy_, CURLOPT_TIMEOUT_MS, static_cast<long>(request_.totalLimit.count()));
  if (request_.stallTimeout.count() > 0) {
    set(easy_, CURLOPT_LOW_SPEED_LIMIT, request_.minBytesPerSecond);
    set(easy_, CURLOPT_LOW_SPEED_TIME, static_cast<long>(request_.stallTimeout.count()));
  }
  if (request_.findsDeadPeers) {
    set(easy_, CURLOPT_TCP_KEEPALIVE, 1L);
    set(easy_, CURLOPT_TCP_KEEPIDLE, silenceSeconds);
    set(easy_, CURLOPT_TCP_KEEPINTVL, silenceSeconds / 3);
    set(easy_, CURLOPT_MAXAGE_CONN, reuseSeconds);
  }
  set(easy_, CURLOPT_OPENSOCKETFUNCTION, &Callbacks::connect);
  set(easy_, CURLOPT_OPENSOCKETDATA, static_cast<void *>(this));
  set(easy_, CURLOPT_HEADERFUNCTION, &Callbacks::head);
  set(easy_, CURLOPT_HEADERDATA, static_cast<void *>(this));
  set(easy_, CURLOPT_WRITEFUNCTION, &Callbacks::body);
  set(easy_, CURLOPT_WRITEDATA, static_cast<void *>(this));
  if (request_.mayBeCompressed) set(easy_, CURLOPT_ACCEPT_ENCODING, "gzip");
  if (request_.body) {
    set(easy_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body->size()));
    set(easy_, CURLOPT_POSTFIELDS, request_.body->empty() ? "" : request_.body->data());
    if (request_.method != "POST") set(easy_, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  } else if (request_.method == "HEAD") {
    set(easy_, CURLOPT_NOBODY, 1L);
  } else if (request_.method != "GET") {
    set(easy_, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }
}

void Exchange::setProxy() {
  if (request_.proxy == Proxy::Environment) return;
  std::string proxy;
  if (request_.proxy == Proxy::Forwarder) proxy = forwarder();
  if (request_.proxy == Proxy::Guarded) {
    const bool namesOne = namesAddress(request_.host);
    const bool isMeant = request_.isNamed && namesOne;
    // The address was not configured, so check it here and do not leave that to a proxy.
    const bool isOurs = namesOne && !isMeant && !request_.allowsPrivateAddresses;
    if (!isOurs) proxy = forwarder();
    if (proxy.empty() && request_.isSecure && !isOurs) proxy = proxyFor(request_.host);
    isGuarded_ = !request_.allowsPrivateAddresses && !isMeant && proxy.empty();
  }
  set(easy_, CURLOPT_PROXY, proxy.c_str());
  set(easy_, CURLOPT_NOPROXY, "");
}

void Exchange::setTrust() {
  set(easy_, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set(easy_, CURLOPT_SSL_VERIFYPEER, 1L);
  set(easy_, CURLOPT_SSL_VERIFYHOST, 2L);
  const std::string authorities =
      request_.caFile.empty() ? authoritiesInstead(curl().version_info(CURLVERSION_NOW)->cainfo)
                              : request_.caFile;
  if (!authorities.empty()) set(easy_, CURLOPT_CAINFO, authorities.c_str());
  if (!request_.caFile.empty() && request_.trustsCaFileAlone)
    set(easy_, CURLOPT_CAPATH, static_cast<const char *>(nullptr));
}

void Exchange::setFields() {
  if (!request_.agent.empty()) set(easy_, CURLOPT_USERAGENT, request_.agent.c_str());
  for (const std::string &line : request_.fields) {
    curl_slist *const longer =
        curl().slist_append(static_cast<curl_slist *>(fields_), line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    fields_ = longer;
  }
  if (fields_ != nullptr) set(easy_, CURLOPT_HTTPHEADER, fields_);
  // Keeps the fields from a proxy.
  set(easy_, CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));
  set(easy_, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (request_.authentication == Request::Authentication::Basic) {
    set(easy_, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    set(easy_, CURLOPT_USERNAME, request_.user.c_str());
    set(easy_, CURLOPT_PASSWORD, request_.secret.c_str());
  } else if (request_.authentication == Request::Authentication::Bearer) {
    set(easy_, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BEARER));
    set(easy_, CURLOPT_XOAUTH2_BEARER, request_.secret.c_str());
  }
}

std::string Exchange::reason() const {
  if (!hasFailed()) return {};
  return reason_.front() == '\0' ? curl().easy_strerror(static_cast<CURLcode>(*result_))
                                 : reason_.data();
}

bool Exchange::isUntrusted() const noexcept {
  return result_ == CURLE_PEER_FAILED_VERIFICATION || result_ == CURLE_SSL_CACERT_BADFILE;
}

bool Exchange::wasSent() const {
  curl_off_t microseconds = 0; // until just before the request was sent
  curl().easy_getinfo(easy_, CURLINFO_PRETRANSFER_TIME_T, &microseconds);
  return microseconds != 0;
}

long Exchange::status() const {
  long status = 0;
  curl().easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

namespace {

// libcurl 7.88 leaves line ends in empty and in folded values.
std::string valueOf(const curl_header &found) {
  std::string value = found.value;
  for (char &one : value)
    if (one == '\r' || one == '\n') one = ' ';
  return std::string(trimmedSpacesAndTabs(value));
}

} // namespace

std::string Exchange::field(const char *name) const {
  curl_header *found = nullptr;
  const bool isThere = curl().easy_header(easy_, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK;
  return isThere ? valueOf(*found) : "";
}

std::vector<std::string> Exchange::fields(const char *name) const {
  std::vector<std::string> all;
  curl_header *found = nullptr;
  while (curl().easy_header(easy_, name, all.size(), CURLH_HEADER, -1, &found) == CURLHE_OK)
    all.push_back(valueOf(*found));
  return all;
}

std::string Exchange::redirect() const {
  char *text = nullptr;
  curl().easy_getinfo(easy_, CURLINFO_REDIRECT_URL, &text);
  return text == nullptr ? "" : text;
}

std::int64_t Exchange::retryAfter() const {
  curl_off_t seconds = 0;
  curl().easy_getinfo(easy_, CURLINFO_RETRY_AFTER, &seconds);
  return seconds;
}

} // namespace skillhost::web
