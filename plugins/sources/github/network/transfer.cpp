// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include "address.hpp"
#include "ground/url.hpp"

#include <cstring>
#include <new>

namespace skillhost::github {

using remote::setOption;

namespace {

constexpr std::size_t mostBody = std::size_t{16} << 20U; // of a request
constexpr long quietSeconds = 30;                        // without a byte

// Of an origin without a user.
std::string hostOf(const std::string &origin) {
  const auto parts = urlParts(origin);
  return parts ? std::string(withoutPort(parts->authority)) : std::string();
}

} // namespace

Transfer::Transfer(CURLM *many, const HttpRules &rules, remote::Operation &operation,
                   HttpRequest request)
    : many_(many), rules_(rules), operation_(operation), request_(std::move(request)),
      handle_(many) {
  prepare();
}

void Transfer::prepare() {
  const std::string origin = originOf(request_.url);
  const std::string host = hostOf(origin);
  // What a redirect brings was written by nobody here.
  handle_.prepare({request_.url, host, origin.starts_with("https://"), host == rules_.host,
                   rules_.caFile, rules_.agent, rules_.allowPrivateAddresses},
                  request_.headers);
  CURL *const one = handle_.handle();
  setOption(one, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  setOption(one, CURLOPT_LOW_SPEED_LIMIT, 1L);
  setOption(one, CURLOPT_LOW_SPEED_TIME, quietSeconds);
  setOption(one, CURLOPT_WRITEFUNCTION, &Transfer::receive);
  setOption(one, CURLOPT_WRITEDATA, this);
  if (request_.mayBeCompressed) setOption(one, CURLOPT_ACCEPT_ENCODING, "gzip");
  authenticate();
}

void Transfer::authenticate() {
  CURL *const one = handle_.handle();
  if (request_.authentication == HttpRequest::Authentication::basic) {
    setOption(one, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    setOption(one, CURLOPT_USERNAME, request_.user.c_str());
    setOption(one, CURLOPT_PASSWORD, request_.secret.c_str());
  } else if (request_.authentication == HttpRequest::Authentication::bearer) {
    setOption(one, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BEARER));
    setOption(one, CURLOPT_XOAUTH2_BEARER, request_.secret.c_str());
  }
}

void Transfer::write(std::string_view bytes) {
  if (sent_ || bytes.size() > mostBody - body_.size())
    throw skh::Error(SKH_TOO_LARGE, where() + ": there is too much to ask for at once");
  body_.append(bytes);
}

void Transfer::send() {
  if (request_.isPost) {
    setOption(handle_.handle(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body_.size()));
    setOption(handle_.handle(), CURLOPT_POSTFIELDS, body_.data());
  }
  handle_.begin();
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
  const std::string why = where() + " " + handle_.trouble(code);
  if (handle_.isForbidden()) throw remote::RemoteError(why);
  throw remote::NetworkError(why);
}

long Transfer::awaitHead() {
  proceed();
  return handle_.status();
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

} // namespace skillhost::github
