// SPDX-License-Identifier: Apache-2.0
#include "request_parser.hpp"

#include "ground/text.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace skillhost::http {
namespace {

namespace beast = boost::beast;
using beast::error_code;
using beast::string_view;

std::string_view plain(string_view text) noexcept { return {text.data(), text.size()}; }

// Boost 1.74 reports a second Content-Length as a malformed one.
template <typename Error> bool isSecondLength(error_code why) {
  if constexpr (requires { Error::multiple_content_length; })
    return why == Error::multiple_content_length;
  else
    return false;
}

Refusal explain(error_code why) {
  using beast::http::error;
  if (why == error::bad_version) return {505, "the version is neither HTTP/1.1 nor HTTP/1.0"};
  if (why == error::bad_method) return {400, "the method is malformed"};
  if (why == error::bad_target) return {400, "the target is malformed"};
  if (why == error::bad_field || why == error::bad_value)
    return {400, "a field of the head is malformed"};
  if (why == error::bad_content_length || isSecondLength<error>(why))
    return {400, "Content-Length is malformed"};
  if (why == error::bad_transfer_encoding) return {400, "Transfer-Encoding is malformed"};
  return {400, "the request is malformed"};
}

} // namespace

// Parses only heads. It never gets a body, because its chunk reader asserts conditions that a
// client can break, and accepts line ends that the next reader may not accept.
class RequestParser::Beast final : public beast::http::basic_parser<true> {
public:
  explicit Beast(RequestParser &to) : to_(to) {
    // Our own rules limit both.
    header_limit(std::numeric_limits<std::uint32_t>::max());
    body_limit(boost::none);
  }
  std::string_view target;

private:
  void on_request_impl(beast::http::verb, string_view method, string_view address, int version,
                       error_code &) override {
    to_.request_.method = plain(method);
    to_.version11_ = version == 11;
    target = plain(address);
  }
  void on_field_impl(beast::http::field, string_view name, string_view value,
                     error_code &) override {
    char *const at = to_.head_.data() + (name.data() - to_.head_.data());
    std::transform(at, at + name.size(), at, [](char c) { return asciiLowered(c); });
    to_.request_.fields.push_back({plain(name), plain(value)});
  }
  void on_response_impl(int, string_view, int, error_code &) override {}
  void on_header_impl(error_code &) override {}
  void on_body_init_impl(boost::optional<std::uint64_t> const &, error_code &) override {}
  std::size_t on_body_impl(string_view, error_code &) override { return 0; }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code &) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view, error_code &) override { return 0; }
  void on_finish_impl(error_code &) override {}

  RequestParser &to_;
};

RequestParser::RequestParser(const HeadLimits &limits, std::size_t maxBody, HttpRequest &request,
                             std::string &head, std::string &body)
    : maxBody_(maxBody), request_(request), head_(head), body_(body), scanner_(limits) {}

void RequestParser::refuse(Refusal refusal) {
  state_ = State::Refused;
  refusal_ = refusal;
}

std::size_t RequestParser::feed(std::string_view bytes) {
  if (state_ == State::Head) return takeHead(bytes);
  return state_ == State::Body ? takeBody(bytes) : 0;
}

std::size_t RequestParser::takeHead(std::string_view bytes) {
  // A ClientHello starts with the type of a handshake and the major version (RFC 8446, 5.1). No
  // method begins so.
  if (bytes.starts_with("\x16\x03")) {
    refuse({400, "it begins a TLS handshake, and this port serves plain HTTP: use http:// here, or "
                 "serve with "
                 "--tls-certificate and --tls-key"});
    return 0;
  }
  const std::optional<std::size_t> end = scanner_.scan(bytes);
  if (scanner_.refusal()) refuse(*scanner_.refusal());
  if (!end) return 0;
  head_.assign(bytes.substr(0, *end));
  request_.fields.reserve(16);
  Beast beast(*this);
  error_code failed;
  beast.put(boost::asio::buffer(head_), failed);
  if (failed || !beast.is_header_done()) {
    refuse(explain(failed));
    return *end;
  }
  keepAlive_ = beast.keep_alive() && version11_;
  if (const auto refusal = refusalOf(request_, version11_, maxBody_)) {
    refuse(*refusal);
  } else if (const auto badTarget = splitTarget(beast.target, request_)) {
    refuse(*badTarget);
  } else {
    beginBody();
  }
  return *end;
}

void RequestParser::beginBody() {
  if (request_.field("transfer-encoding")) {
    chunks_.emplace(maxBody_);
  } else if (const auto length = request_.field("content-length")) {
    std::from_chars(length->data(), length->data() + length->size(),
                    left_); // refusalOf() has checked it
  }
  state_ = chunks_ || left_ != 0 ? State::Body : State::Complete;
  wantsContinue_ = state_ == State::Body && version11_ && request_.field("expect").has_value();
}

bool RequestParser::limitBody(std::size_t maxBytes) noexcept {
  if (chunks_) chunks_->limit(maxBytes);
  return left_ <= maxBytes;
}

std::size_t RequestParser::takeBody(std::string_view bytes) {
  std::size_t used = 0;
  const std::size_t before = body_.size();
  if (chunks_) {
    used = chunks_->feed(bytes, body_);
    if (chunks_->refusal()) refuse(*chunks_->refusal());
    if (chunks_->done()) state_ = State::Complete;
  } else {
    used = std::min(left_, bytes.size());
    body_.append(bytes.substr(0, used));
    left_ -= used;
    if (left_ == 0) state_ = State::Complete;
  }
  bodySize_ += body_.size() - before;
  if (state_ == State::Complete) request_.body = body_;
  return used;
}

} // namespace skillhost::http
