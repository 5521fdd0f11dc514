// SPDX-License-Identifier: Apache-2.0
#include "request_parser.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <limits>

namespace skillhost::http {
namespace {

namespace beast = boost::beast;
using beast::error_code;
using beast::string_view;

constexpr std::size_t maxChunkLine = 4096; // with its extensions; the trailer's bound, too

std::string_view plain(string_view text) noexcept { return {text.data(), text.size()}; }

Refusal explain(error_code why) {
  using beast::http::error;
  if (why == error::body_limit) return {413, "the request is too large"};
  if (why == error::bad_version) return {505, "the version is neither HTTP/1.1 nor HTTP/1.0"};
  if (why == error::bad_method) return {400, "the method is malformed"};
  if (why == error::bad_target) return {400, "the target is malformed"};
  if (why == error::bad_field || why == error::bad_value)
    return {400, "a field of the head is malformed"};
  if (why == error::bad_content_length || why == error::multiple_content_length)
    return {400, "Content-Length is malformed"};
  if (why == error::bad_transfer_encoding) return {400, "Transfer-Encoding is malformed"};
  if (why == error::bad_chunk || why == error::bad_chunk_extension)
    return {400, "the chunked coding is malformed"};
  return {400, "the request is malformed"};
}

} // namespace

class RequestParser::Beast final : public beast::http::basic_parser<true> {
public:
  explicit Beast(RequestParser &to) : to_(to) {
    body_limit(to.maxBody_);
    // The head is bounded before it comes here; this bounds a trailer.
    header_limit(std::numeric_limits<std::uint32_t>::max());
  }
  std::string_view target;

private:
  void on_request_impl(beast::http::verb, string_view method, string_view address, int version,
                       error_code &) override {
    to_.request_.method = plain(method);
    to_.version11_ = version == 11;
    target = plain(address);
  }
  void on_response_impl(int, string_view, int, error_code &) override {}
  void on_field_impl(beast::http::field, string_view name, string_view value,
                     error_code &) override {
    if (to_.state_ != State::Head) return; // a field of the trailer: nobody needs one
    const auto at = static_cast<std::size_t>(name.data() - to_.head_.data());
    for (std::size_t i = at; i < at + name.size(); ++i)
      if (to_.head_[i] >= 'A' && to_.head_[i] <= 'Z')
        to_.head_[i] = static_cast<char>(to_.head_[i] - 'A' + 'a');
    to_.request_.fields.push_back({plain(name), plain(value)});
  }
  void on_header_impl(error_code &) override {}
  void on_body_init_impl(boost::optional<std::uint64_t> const &, error_code &) override {}
  std::size_t on_body_impl(string_view body, error_code &) override {
    to_.body_.append(body.data(), body.size());
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code &) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code &failed) override {
    return on_body_impl(body, failed);
  }
  void on_finish_impl(error_code &) override {}

  RequestParser &to_;
};

RequestParser::RequestParser(const HeadLimits &limits, std::size_t maxBody, HttpRequest &request,
                             std::string &head, std::string &body)
    : maxBody_(maxBody), request_(request), head_(head), body_(body), scanner_(limits) {}

RequestParser::~RequestParser() = default;

void RequestParser::refuse(Refusal refusal) {
  state_ = State::Refused;
  refusal_ = refusal;
}

std::size_t RequestParser::feed(std::string_view bytes) {
  std::size_t used = 0;
  if (state_ == State::Head) used = takeHead(bytes);
  if (state_ == State::Body) used += takeBody(bytes.substr(used));
  return used;
}

std::size_t RequestParser::takeHead(std::string_view bytes) {
  const std::optional<std::size_t> end = scanner_.scan(bytes);
  if (scanner_.refusal()) refuse(*scanner_.refusal());
  if (!end) return 0;
  head_.assign(bytes.substr(0, *end));
  request_.fields.reserve(16);
  beast_ = std::make_unique<Beast>(*this);
  error_code failed;
  beast_->put(boost::asio::buffer(head_), failed);
  if (failed || !beast_->is_header_done()) {
    refuse(explain(failed));
    return *end;
  }
  keepAlive_ = beast_->keep_alive();
  if (const auto refusal = refusalOf(request_, version11_, maxBody_)) {
    refuse(*refusal);
  } else if (const auto badTarget = splitTarget(beast_->target, request_)) {
    refuse(*badTarget);
  } else {
    state_ = beast_->is_done() ? State::Complete : State::Body;
    wantsContinue_ = state_ == State::Body && version11_ && request_.field("expect").has_value();
  }
  return *end;
}

std::size_t RequestParser::takeBody(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && state_ == State::Body) {
    const std::string_view rest = bytes.substr(used);
    error_code failed;
    used += beast_->put(boost::asio::buffer(rest.data(), rest.size()), failed);
    if (failed == beast::http::error::need_more) {
      if (rest.size() > maxChunkLine) refuse({400, "a line of the chunked coding is too long"});
      break;
    }
    if (failed) refuse(explain(failed));
    if (!failed && beast_->is_done()) state_ = State::Complete;
  }
  if (state_ == State::Complete) request_.body = body_;
  return used;
}

} // namespace skillhost::http
