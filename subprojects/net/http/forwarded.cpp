// SPDX-License-Identifier: Apache-2.0
#include "forwarded.hpp"

#include "ground/text.hpp"
#include "ground/utf8.hpp"
#include "head_rules.hpp"
#include "listening_socket.hpp"

#include <algorithm>
#include <charconv>
#include <ranges>
#include <utility>
#include <vector>

namespace skillhost::http {
namespace {

constexpr std::string_view blanks = " \t";

// "192.0.2.1", "192.0.2.1:4711", "2001:db8::1", "[2001:db8::1]" or "[2001:db8::1]:4711".
std::optional<SocketName> nodeOf(std::string_view text) {
  const bool bracketed = text.starts_with('[');
  const bool plainSix = !bracketed && std::count(text.begin(), text.end(), ':') > 1;
  const std::size_t end = bracketed  ? text.find(']')
                          : plainSix ? text.size()
                                     : std::min(text.find(':'), text.size());
  if (end == std::string_view::npos) return std::nullopt;
  const auto ip = IpAddress::of(bracketed ? text.substr(1, end - 1) : text.substr(0, end));
  if (!ip || (bracketed && ip->isFour())) return std::nullopt;
  SocketName node{*ip, 0};
  std::string_view rest = text.substr(end + (bracketed ? 1 : 0));
  if (rest.empty()) return node;
  if (!rest.starts_with(':')) return std::nullopt;
  rest.remove_prefix(1);
  if (rest.starts_with('_')) return node; // RFC 7239: the port is not disclosed
  const char *const begin = rest.data();  // NOLINT(bugprone-suspicious-stringview-data-usage)
  const auto read = std::from_chars(begin, begin + rest.size(), node.port);
  if (rest.empty() || read.ec != std::errc{} || read.ptr != begin + rest.size())
    return std::nullopt;
  return node;
}

// The hops that proxies have added, from left to right.
using Hops = std::vector<std::string>;

Hops xForwardedFor(const HttpRequest &request) {
  Hops hops;
  for (const HttpField &field : request.fields) {
    if (field.name != "x-forwarded-for") continue;
    for (std::string_view rest = field.value;;) {
      const std::size_t comma = rest.find(',');
      if (const std::string_view one = trimmedSpacesAndTabs(rest.substr(0, comma)); !one.empty())
        hops.emplace_back(one);
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return hops;
}

// forwarded-element = [ pair ] *( ";" [ pair ] ), pair = token "=" ( token / quoted-string )
class ForwardedReader {
public:
  ForwardedReader(std::string_view text, Hops &hops) : rest_(text), hops_(hops) {}

  bool read() {
    for (;;) {
      std::string node;
      do {
        skipBlanks();
        if (!pair(node)) return false;
        skipBlanks();
      } while (take(';'));
      if (any_) hops_.push_back(std::move(node)); // an element without "for" names nobody
      any_ = false;
      if (rest_.empty()) return true;
      if (!take(',')) return false;
    }
  }

private:
  bool pair(std::string &node) {
    if (rest_.empty() || rest_.front() == ';' || rest_.front() == ',') return true;
    const std::size_t equals = rest_.find_first_of("=;,\" \t");
    if (equals == 0 || equals == std::string_view::npos || rest_[equals] != '=') return false;
    const bool isFor = sameText(rest_.substr(0, equals), "for");
    rest_.remove_prefix(equals + 1);
    std::string value;
    if (take('"')) {
      if (!quoted(value)) return false;
    } else {
      value = rest_.substr(0, rest_.find_first_of(";,\" \t"));
      if (value.empty()) return false;
      rest_.remove_prefix(value.size());
    }
    any_ = true;
    if (isFor) {
      if (!node.empty()) return false;
      node = std::move(value);
    }
    return true;
  }

  bool quoted(std::string &value) {
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (c == '\\') {
        if (rest_.empty()) return false;
        value += rest_.front();
        rest_.remove_prefix(1);
      } else {
        value += c;
      }
    }
    return false;
  }

  void skipBlanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
  }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
  Hops &hops_;
  bool any_ = false;
};

struct Found {
  std::optional<SocketName> client; // empty: the peer of the connection
  std::string unreadable{};         // the unreadable entry at which the search ended
};

Found walk(const Hops &hops, const TrustedProxies &trusted) {
  Found found;
  for (const auto &hop : std::views::reverse(hops)) {
    const auto node = nodeOf(hop);
    if (!node) {
      found.unreadable = cutUtf8(hop, 100);
      return found;
    }
    found.client = node;
    if (!trusted.trusts(node->ip)) return found;
  }
  return found;
}

} // namespace

ForwardedClient forwardedClient(const HttpRequest &request, const TrustedProxies &trusted,
                                ForwardedField field) {
  const bool older = field != ForwardedField::Forwarded && request.field("x-forwarded-for"),
             newer = field != ForwardedField::XForwardedFor && request.field("forwarded");
  if (!older && !newer) return {};
  Found found;
  if (newer) {
    Hops hops;
    // A client's text may stand in front of a proxy's entry. An unclosed quote in it would hide
    // that entry, so refuse it.
    for (const HttpField &one : request.fields)
      if (one.name == "forwarded" && !ForwardedReader(one.value, hops).read())
        return {.refusal = "the Forwarded field is not well-formed (RFC 7239)"};
    found = walk(hops, trusted);
  }
  if (older) {
    const Found also = walk(xForwardedFor(request), trusted);
    // A proxy writes one of the two fields, and forwards the client's own text in the other.
    if (newer && (!also.client || !found.client || also.client->ip != found.client->ip))
      return {.refusal = "X-Forwarded-For and Forwarded name different clients",
              .warning =
                  "a trusted proxy sends both X-Forwarded-For and Forwarded, and they name "
                  "different clients: set http.forwarded_field to the one that the proxy writes"};
    found = also;
  }
  ForwardedClient client;
  if (!found.unreadable.empty())
    client.warning = "a trusted proxy says that a request is forwarded for \"" + found.unreadable +
                     "\", which is no address: the last one that it names is taken";
  if (!found.client) return client;
  client.peer = found.client->ip.withPort(found.client->port);
  client.address = networkOf(client.peer);
  return client;
}

} // namespace skillhost::http
