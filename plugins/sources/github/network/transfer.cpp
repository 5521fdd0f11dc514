// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include "address.hpp"
#include "remote/address_guard.hpp"
#include "remote/proxy.hpp"
#include "remote/safe_options.hpp"

#include <sys/socket.h>

#include <cstring>
#include <new>

namespace skillhost::github {

using remote::setOption;

namespace {

constexpr std::size_t mostBody = std::size_t{16} << 20U; // of a request
constexpr long quietSeconds = 30;                        // without a byte

void startCurl() {
  // Never undone: other plugins of the process may use the library too. Once is enough.
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw std::bad_alloc();
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

Transfer::Transfer(CURLM *many, const HttpRules &rules, remote::Operation &operation,
                   HttpRequest request)
    : many_(many), one_(curl_easy_init()), rules_(rules), operation_(operation),
      request_(std::move(request)) {
  if (one_ == nullptr) throw std::bad_alloc();
  try {
    prepare();
  } catch (...) {
    curl_slist_free_all(headers_);
    curl_easy_cleanup(one_);
    throw;
  }
}

Transfer::~Transfer() {
  if (sent_) curl_multi_remove_handle(many_, one_);
  curl_easy_cleanup(one_);
  curl_slist_free_all(headers_);
}

void Transfer::prepare() {
  const std::string origin = originOf(request_.url);
  const std::string host = hostOf(origin);
  const std::string proxy = origin.starts_with("https://") ? remote::proxyFor(host) : std::string{};
  // A name that the operator wrote as an address is allowed, not one that a redirect brings.
  const bool meant = host == rules_.host && remote::namesAddress(host);
  guarded_ = !rules_.allowPrivateAddresses && !meant && proxy.empty();
  setOption(one_, CURLOPT_ERRORBUFFER, reason_.data());
  setOption(one_, CURLOPT_URL, request_.url.c_str());
  setOption(one_, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  remote::setSafeOptions(one_, proxy, rules_.caFile, rules_.agent);
  setOption(one_, CURLOPT_LOW_SPEED_LIMIT, 1L);
  setOption(one_, CURLOPT_LOW_SPEED_TIME, quietSeconds);
  setOption(one_, CURLOPT_OPENSOCKETFUNCTION, &Transfer::connect);
  setOption(one_, CURLOPT_OPENSOCKETDATA, this);
  setOption(one_, CURLOPT_WRITEFUNCTION, &Transfer::receive);
  setOption(one_, CURLOPT_WRITEDATA, this);
  if (request_.mayBeCompressed) setOption(one_, CURLOPT_ACCEPT_ENCODING, "gzip");
  authenticate();
  for (const std::string &header : request_.headers) {
    curl_slist *const longer = curl_slist_append(headers_, header.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    headers_ = longer;
  }
  if (headers_ != nullptr) setOption(one_, CURLOPT_HTTPHEADER, headers_);
}

void Transfer::authenticate() {
  if (request_.authentication == HttpRequest::Authentication::basic) {
    setOption(one_, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    setOption(one_, CURLOPT_USERNAME, request_.user.c_str());
    setOption(one_, CURLOPT_PASSWORD, request_.secret.c_str());
  } else if (request_.authentication == HttpRequest::Authentication::bearer) {
    setOption(one_, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BEARER));
    setOption(one_, CURLOPT_XOAUTH2_BEARER, request_.secret.c_str());
  }
}

void Transfer::write(std::string_view bytes) {
  if (sent_ || bytes.size() > mostBody - body_.size())
    throw skh::Error(SKH_TOO_LARGE, where() + ": there is too much to ask for at once");
  body_.append(bytes);
}

void Transfer::send() {
  if (request_.isPost) {
    setOption(one_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body_.size()));
    setOption(one_, CURLOPT_POSTFIELDS, body_.data());
  }
  if (curl_multi_add_handle(many_, one_) != CURLM_OK) throw std::bad_alloc();
  sent_ = true;
}

// Goes on until there is something to read, or the end.
void Transfer::proceed() {
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

void Transfer::finish(CURLcode code) {
  done_ = true;
  if (code == CURLE_OK) return;
  operation_.receive(0); // its own refusal comes first
  operation_.checkpoint();
  if (!refusedAddress_.empty())
    throw remote::RemoteError(where() + " leads to " + refusedAddress_ +
                              ", which is no public address (allow_private_addresses)");
  const char *const why = reason_.front() == '\0' ? curl_easy_strerror(code) : reason_.data();
  throw remote::NetworkError(where() + " cannot be asked: " + why);
}

long Transfer::awaitHead() {
  proceed();
  long status = 0;
  curl_easy_getinfo(one_, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

std::string Transfer::header(const char *name) const {
  curl_header *found = nullptr;
  const bool isThere = curl_easy_header(one_, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK;
  return isThere ? found->value : "";
}

std::string Transfer::target() const {
  char *text = nullptr;
  curl_easy_getinfo(one_, CURLINFO_REDIRECT_URL, &text);
  return text == nullptr ? "" : text;
}

std::optional<std::chrono::seconds> Transfer::retryAfter() const {
  curl_off_t seconds = 0;
  curl_easy_getinfo(one_, CURLINFO_RETRY_AFTER, &seconds);
  return seconds > 0 ? std::optional(std::chrono::seconds(seconds)) : std::nullopt;
}

std::size_t Transfer::read(char *into, std::size_t most) {
  proceed();
  const std::size_t size = std::min(most, received_.size() - taken_);
  std::memcpy(into, received_.data() + taken_, size);
  taken_ += size;
  return size;
}

std::size_t Transfer::receive(char *data, std::size_t one, std::size_t size, void *self) {
  auto &transfer = *static_cast<Transfer *>(self);
  try {
    transfer.operation_.receive(one * size);
    transfer.received_.append(data, one * size);
  } catch (const std::exception &) {
    return 0; // finish() says why
  }
  return one * size;
}

curl_socket_t Transfer::connect(void *self, curlsocktype /*purpose*/, curl_sockaddr *to) {
  auto &transfer = *static_cast<Transfer *>(self);
  if (transfer.guarded_ && remote::isPrivateAddress(to->addr)) {
    transfer.refusedAddress_ = remote::addressText(to->addr);
    return CURL_SOCKET_BAD;
  }
  return ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

} // namespace skillhost::github
