// SPDX-License-Identifier: Apache-2.0
#include "network/forward_request.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

namespace skillhost::network {
namespace {

// These fields belong to one connection (RFC 9110, 7.6.1) and are not forwarded. Host is written
// again from the target.
constexpr std::array<std::string_view, 11> notForwarded{"connection",
                                                        "proxy-connection",
                                                        "keep-alive",
                                                        "proxy-authorization",
                                                        "proxy-authenticate",
                                                        "te",
                                                        "trailer",
                                                        "upgrade",
                                                        "transfer-encoding",
                                                        "host",
                                                        "http2-settings"};

bool isTokenCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}
bool isToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), isTokenCharacter);
}

Failure bad(const char *why) { return {Fault::InvalidInput, why}; }

// Parses host and port. A missing port becomes `usual`; if that is 0, the port is required.
bool takeAuthority(std::string_view text, std::uint16_t usual, ForwardRequest &out) {
  const std::size_t close = text.starts_with('[') ? text.find(']') : 0;
  if (close == std::string_view::npos) return false;
  const std::size_t colon = text.find(':', close);
  out.port = usual;
  if (colon != std::string_view::npos) {
    const std::string_view digits = text.substr(colon + 1);
    const auto [last, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), out.port);
    if (error != std::errc{} || last != digits.data() + digits.size()) return false;
  }
  if (out.port == 0) return false;
  const std::optional<HostName> host = HostName::of(text.substr(0, colon));
  if (!host) return false;
  out.host = *host;
  const bool six = host->address && host->text.find(':') != std::string::npos;
  out.authority = (six ? "[" + host->text + "]" : host->text) + ":" + std::to_string(out.port);
  return true;
}

bool takeTarget(std::string_view target, ForwardRequest &out) {
  if (out.tunnel) return takeAuthority(target, 0, out);
  constexpr std::string_view scheme = "http://";
  if (asciiLowered(target.substr(0, scheme.size())) != scheme) return false;
  target.remove_prefix(scheme.size());
  const std::size_t end = target.find_first_of("/?#");
  if (!takeAuthority(target.substr(0, end), 80, out)) return false;
  out.path = end == std::string_view::npos ? "/" : std::string(target.substr(end));
  if (out.path.find('#') != std::string::npos) return false;
  if (out.path.front() == '?') out.path.insert(0, "/");
  return true;
}

struct Field {
  std::string name; // in lower case
  std::string_view line, value;
};

// Checks the fields and keeps those that are forwarded.
Result<ForwardRequest> takeFields(const std::vector<Field> &fields, ForwardRequest out) {
  std::vector<std::string> further; // further fields of one connection, named by Connection
  bool hasLength = false, hasCredentials = false;
  for (const Field &field : fields) {
    if (field.name == "transfer-encoding")
      return bad("a request by this proxy needs a Content-Length in place of Transfer-Encoding");
    if (field.name == "content-length") {
      const std::string_view digits = field.value;
      const auto [last, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), out.bodyBytes);
      if (error != std::errc{} || last != digits.data() + digits.size() ||
          std::exchange(hasLength, true))
        return bad("the Content-Length is no number, or there are several");
    }
    if (field.name == "proxy-authorization") {
      if (std::exchange(hasCredentials, true)) return bad("there are two Proxy-Authorization");
      out.credentials = field.value;
    }
    if (field.name == "connection") {
      std::string_view rest = field.value;
      while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        further.push_back(asciiLowered(trimmedSpacesAndTabs(rest.substr(0, comma))));
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
      }
    }
  }
  if (out.tunnel) {
    out.bodyBytes = 0;
    return out;
  }
  for (const Field &field : fields) {
    const auto among = [&](const auto &list) {
      return std::find(list.begin(), list.end(), field.name) != list.end();
    };
    if (among(notForwarded) || (among(further) && field.name != "content-length")) continue;
    out.fields.append(field.line).append("\r\n");
  }
  return out;
}

} // namespace

std::string ForwardRequest::head(bool toProxy, const std::string &proxyCredentials) const {
  std::string text = tunnel    ? "CONNECT " + authority
                     : toProxy ? method + " http://" + authority + path
                               : method + " " + path;
  // Omits the default port, because some servers compare the name without it.
  const bool usual = !tunnel && port == 80;
  text += " HTTP/1.1\r\nHost: " + (usual ? authority.substr(0, authority.size() - 3) : authority) +
          "\r\n";
  if (toProxy && !proxyCredentials.empty())
    text += "Proxy-Authorization: " + proxyCredentials + "\r\n";
  text += fields;
  if (!tunnel) text += "Connection: close\r\n";
  return text + "\r\n";
}

Result<ForwardRequest> parseForwardRequest(std::string_view head) {
  if (!head.ends_with("\r\n\r\n")) return bad("the head has no end");
  head.remove_suffix(2);
  std::vector<std::string_view> lines;
  while (!head.empty()) {
    const std::size_t end = head.find("\r\n");
    if (end == std::string_view::npos) return bad("a line has no end");
    const std::string_view line = head.substr(0, end);
    // Bytes of 128 and above are allowed here; the server may refuse them.
    if (std::any_of(line.begin(), line.end(), [](char c) {
          return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
        }))
      return bad("there is a control character in the head");
    lines.push_back(line);
    head.remove_prefix(end + 2);
  }
  if (lines.empty()) return bad("there is no request line");
  const std::string_view first = lines.front();
  const std::size_t one = first.find(' '), two = first.rfind(' ');
  if (one == std::string_view::npos || one == two) return bad("the request line is none of HTTP/1");
  const std::string_view version = first.substr(two + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0")
    return bad("the request line is none of HTTP/1");
  ForwardRequest out;
  out.method = first.substr(0, one);
  out.tunnel = out.method == "CONNECT";
  const std::string_view target = first.substr(one + 1, two - one - 1);
  if (!isToken(out.method) || target.find_first_of(" \t") != std::string_view::npos)
    return bad("the request line is none of HTTP/1");
  if (!takeTarget(target, out))
    return bad("only CONNECT host:port and requests for http://host/ are forwarded");
  std::vector<Field> fields;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t colon = lines[i].find(':');
    if (colon == std::string_view::npos || !isToken(lines[i].substr(0, colon)))
      return bad("a field of the head has no name");
    fields.push_back({asciiLowered(lines[i].substr(0, colon)), lines[i],
                      trimmedSpacesAndTabs(lines[i].substr(colon + 1))});
  }
  return takeFields(fields, std::move(out));
}

std::string basicCredentials(std::string_view text) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out = "Basic ";
  for (std::size_t at = 0; at < text.size(); at += 3) {
    std::uint32_t bits = 0;
    const std::size_t left = std::min<std::size_t>(3, text.size() - at);
    for (std::size_t i = 0; i < 3; ++i)
      bits = (bits << 8U) | (i < left ? static_cast<unsigned char>(text[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      out += i <= left ? letters[(bits >> (18 - 6 * i)) & 63U] : '=';
  }
  return out;
}

} // namespace skillhost::network
