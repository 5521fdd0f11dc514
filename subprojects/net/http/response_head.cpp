// SPDX-License-Identifier: Apache-2.0
#include "response_head.hpp"

#include "base/log.hpp"
#include "ground/text.hpp"

#include <array>
#include <cstdio>
#include <ctime>

namespace skillhost::http {
namespace {

constexpr std::string_view phrase(int status) noexcept {
  switch (status) {
  case 200:
    return "OK";
  case 202:
    return "Accepted";
  case 204:
    return "No Content";
  case 304:
    return "Not Modified";
  case 400:
    return "Bad Request";
  case 401:
    return "Unauthorized";
  case 403:
    return "Forbidden";
  case 404:
    return "Not Found";
  case 405:
    return "Method Not Allowed";
  case 406:
    return "Not Acceptable";
  case 408:
    return "Request Timeout";
  case 409:
    return "Conflict";
  case 411:
    return "Length Required";
  case 413:
    return "Content Too Large";
  case 415:
    return "Unsupported Media Type";
  case 417:
    return "Expectation Failed";
  case 421:
    return "Misdirected Request";
  case 429:
    return "Too Many Requests";
  case 431:
    return "Request Header Fields Too Large";
  case 500:
    return "Internal Server Error";
  case 501:
    return "Not Implemented";
  case 503:
    return "Service Unavailable";
  case 504:
    return "Gateway Timeout";
  case 505:
    return "HTTP Version Not Supported";
  default:
    return "";
  }
}

bool oneLine(std::string_view text) noexcept {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

void appendField(std::string &head, std::string_view name, std::string_view value) {
  appendPieces(head, {name, ": ", value, "\r\n"});
}

} // namespace

std::string responseHead(const HttpResponse &response, const Framing &framing) {
  std::string head;
  head.reserve(256);
  const bool isTyped = !response.contentType.empty();
  appendPieces(head, {"HTTP/1.1 ", std::to_string(response.status), " ", phrase(response.status),
                      "\r\nDate: ", framing.date, isTyped ? "\r\nContent-Type: " : "",
                      response.contentType, framing.length ? "\r\nContent-Length: " : "",
                      framing.length ? std::to_string(*framing.length) : "",
                      framing.chunked ? "\r\nTransfer-Encoding: chunked\r\n" : "\r\n"});
  for (const auto &[name, value] : response.fields) {
    if (oneLine(name) && oneLine(value))
      appendField(head, name, value);
    else
      log::error("http", "a field of an answer was left out: its value is not one line");
  }
  if (framing.close) appendField(head, "Connection", "close");
  return head.append("\r\n");
}

std::string_view DateText::now() {
  const std::time_t second = std::time(nullptr);
  if (second != second_) {
    constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::tm at{};
    ::gmtime_r(&second, &at);
    std::array<char, 64> text{};
    // strftime would use the locale's names of days and months.
    std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                  days.at(static_cast<std::size_t>(at.tm_wday)), at.tm_mday,
                  months.at(static_cast<std::size_t>(at.tm_mon)), at.tm_year + 1900, at.tm_hour,
                  at.tm_min, at.tm_sec);
    text_ = text.data();
    second_ = second;
  }
  return text_;
}

} // namespace skillhost::http
