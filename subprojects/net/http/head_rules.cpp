// SPDX-License-Identifier: Apache-2.0
#include "head_rules.hpp"

#include "ground/text.hpp"
#include "ground/url.hpp"

#include <array>
#include <charconv>
#include <cstdint>

namespace skillhost::http {
namespace {

constexpr Refusal headTooLarge{431, "the head of the request is too large"};
constexpr Refusal tooManyFields{431, "the request has too many fields"};

bool takesBody(std::string_view method) noexcept {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

std::optional<Refusal> refuseLength(const HttpRequest &request, std::size_t maxBody) {
  const std::size_t lengths = request.count("content-length");
  if (lengths == 0) {
    if (takesBody(request.method)) return Refusal{411, "Content-Length is missing"};
    return std::nullopt;
  }
  if (lengths > 1) return Refusal{400, "Content-Length is given twice"};
  const std::string_view text = *request.field("content-length");
  std::uint64_t length = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (fault != std::errc{} || end != text.data() + text.size())
    return Refusal{400, "Content-Length is not a number"};
  if (length > maxBody) return tooLarge;
  return std::nullopt;
}

std::optional<Refusal> refuseCoding(const HttpRequest &request, bool version11) {
  if (request.field("content-length"))
    return Refusal{400, "Content-Length and Transfer-Encoding exclude each other"};
  if (!version11) return Refusal{400, "Transfer-Encoding does not belong to HTTP/1.0"};
  if (request.count("transfer-encoding") > 1)
    return Refusal{400, "Transfer-Encoding is given twice"};
  if (!sameText(*request.field("transfer-encoding"), "chunked"))
    return Refusal{501, "the only transfer coding understood is chunked"};
  return std::nullopt;
}

// Each of these fields has one value. A check that reads the first of two could differ from a proxy
// or a handler that reads the last.
struct SingleField {
  std::string_view name;
  Refusal whenRepeated;
};
constexpr std::array<SingleField, 5> singleFields{{
    {"host", {400, "Host is given twice"}},
    {"origin", {400, "Origin is given twice"}},
    {"content-type", {400, "Content-Type is given twice"}},
    {"last-event-id", {400, "Last-Event-ID is given twice"}},
    {"x-hub-signature-256", {400, "X-Hub-Signature-256 is given twice"}},
}};

// Removes the default port of the scheme: "a.b:80" becomes "a.b" if the target is http.
std::string_view withoutUsualPort(std::string_view authority, std::string_view scheme) noexcept {
  const std::string_view host = withoutPort(authority), port = authority.substr(host.size());
  return port == ":" || port == (sameText(scheme, "https") ? ":443" : ":80") ? host : authority;
}

// A proxy that follows the target and a check that follows Host must mean the same server.
bool namesAnotherHost(const UrlParts &target, const HttpRequest &request) {
  const auto host = request.field("host");
  return host && !sameText(withoutUsualPort(*host, target.scheme),
                           withoutUsualPort(target.authority, target.scheme));
}

} // namespace

std::optional<Refusal> HeadScanner::lookAt(std::string_view line) const {
  if (line.find('\r') != std::string_view::npos)
    return Refusal{400, "a line of the head holds a CR"};
  if (line.find('\0') != std::string_view::npos)
    return Refusal{400, "a line of the head holds a NUL"};
  if (line.front() == ' ' || line.front() == '\t')
    return Refusal{400, "a line of the head begins with white space"};
  if (lines_ > limits_.maxFields) return tooManyFields;
  return std::nullopt;
}

std::optional<std::size_t> HeadScanner::scan(std::string_view bytes) {
  while (!refusal_) {
    const std::size_t end = bytes.find('\n', searched_);
    if (end == std::string_view::npos) {
      searched_ = bytes.size();
      // An endless line is refused at the limit while it arrives.
      if (bytes.size() > limits_.maxBytes) refusal_ = headTooLarge;
      return std::nullopt;
    }
    if (end >= limits_.maxBytes) {
      refusal_ = headTooLarge;
    } else if (end == begin_ || bytes[end - 1] != '\r') {
      refusal_ = Refusal{400, "a line of the head does not end in CRLF"};
    } else if (end - 1 == begin_) {
      return end + 1;
    } else {
      refusal_ = lookAt(bytes.substr(begin_, end - 1 - begin_));
      ++lines_;
      begin_ = searched_ = end + 1;
    }
  }
  return std::nullopt;
}

std::optional<Refusal> refusalOf(const HttpRequest &request, bool version11, std::size_t maxBody) {
  for (const SingleField &one : singleFields)
    if (request.count(one.name) > 1) return one.whenRepeated;
  if (!request.field("host") && version11) return Refusal{400, "Host is missing"};
  // A client without an authority sends an empty Host (RFC 9110 §7.2).
  if (const auto host = request.field("host"); host && !host->empty() && !isAuthority(*host))
    return Refusal{400, "Host is not a host name or address with or without a port"};
  if (const auto refusal = request.field("transfer-encoding") ? refuseCoding(request, version11)
                                                              : refuseLength(request, maxBody))
    return refusal;
  const auto expected = request.field("expect");
  if (expected && !sameText(*expected, "100-continue"))
    return Refusal{417, "the only expectation understood is 100-continue"};
  return std::nullopt;
}

std::optional<Refusal> refusalOfCoding(const HttpRequest &request) {
  for (const HttpField &field : request.fields)
    if (field.name == "content-encoding" && !sameText(field.value, "identity"))
      return Refusal{
          415, "a body with a content coding is not supported: send it without Content-Encoding"};
  return std::nullopt;
}

std::optional<Refusal> splitTarget(std::string_view target, HttpRequest &request) {
  constexpr Refusal bad{400, "the target is neither a path nor an http URL"};
  if (target.find('#') != std::string_view::npos) return bad;
  if (target.front() != '/' && target != "*") {
    const auto parts = urlParts(target);
    if (!parts || (!sameText(parts->scheme, "http") && !sameText(parts->scheme, "https")))
      return bad;
    if (!isAuthority(parts->authority)) return bad;
    if (namesAnotherHost(*parts, request))
      return Refusal{400, "the target names another host than Host"};
    target = parts->rest.empty() ? "/" : parts->rest;
  }
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  request.query = mark == std::string_view::npos ? "" : target.substr(mark + 1);
  if (request.path.empty()) request.path = "/";
  return std::nullopt;
}

} // namespace skillhost::http
