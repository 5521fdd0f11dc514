// SPDX-License-Identifier: Apache-2.0
// One HTTP exchange as those see it who know nothing of sockets: a request as it came, and the one
// way to answer it (RFC 9110; event streams as in the HTML standard).
#pragma once

#include "ground/fragments.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

// The Content-Type of an answer for a person.
inline constexpr std::string_view plainTextType = "text/plain; charset=utf-8";

struct HttpField {
  std::string_view name, value; // the name in lower case, the value without white space around it
};

// Of a TLS client, verified against the authorities of the configuration. Valid UTF-8 without
// control characters.
struct ClientCertificate {
  std::string subject, issuer;    // RFC 4514; may be empty
  std::vector<std::string> names; // "dns:…", "email:…", "uri:…", "ip:…"
  std::string sha256;             // of its DER form, in hexadecimal digits
  std::int64_t expiresAt = 0;     // Unix seconds; 0: it cannot be read
};

// All views live as long as the exchange they came with.
struct HttpRequest {
  std::string_view method;       // as sent: "GET"
  std::string_view path, query;  // the target before and after its first '?', as sent
  std::vector<HttpField> fields; // in order; repeated ones stay apart
  std::string_view body;         // whole, its transfer coding undone; empty until it was asked for
  // "192.0.2.1:4711", "[2001:db8::1]:4711" or "unix:uid=1000": whoever has sent it, though it came
  // through trusted proxies. Port 0: nobody has said which.
  std::string_view peer;
  bool secure = false;    // came over TLS
  bool fromProxy = false; // a trusted proxy has sent it: its fields about the client hold
  std::shared_ptr<const ClientCertificate> certificate; // null: none was shown

  // The first field of that name, which is to be in lower case.
  std::optional<std::string_view> field(std::string_view name) const {
    for (const HttpField &one : fields)
      if (one.name == name) return one.value;
    return std::nullopt;
  }
  std::size_t count(std::string_view name) const {
    std::size_t times = 0;
    for (const HttpField &one : fields) times += one.name == name ? 1U : 0U;
    return times;
  }
};

// Of a peer: its IP address, or the whole of "unix:uid=1000".
inline std::string_view addressOf(std::string_view peer) {
  return peer.starts_with("unix:") ? peer : peer.substr(0, peer.rfind(':'));
}
// Of a peer: whose requests count together. As addressOf(), but of an IPv6 address its /64
// ("2001:db8::/64"): whoever has one of its addresses has all of them.
std::string networkOf(std::string_view peer);

// Whether a Host field, or what follows "://" in an Origin field, is a host with or without a port
// (RFC 3986 §3.2) and nothing else: no user, no path, no percent-encoding, no list.
bool isAuthority(std::string_view text) noexcept;

// The media type that a Content-Type field names, in lower case, without its parameters (RFC 9110
// §8.3.1): "application/json" of "Application/JSON ; charset=utf-8".
std::string mediaTypeOf(std::string_view field);

using HttpFields = std::vector<std::pair<std::string, std::string>>;

struct HttpResponse {
  int status = 200;
  std::string_view contentType{}; // a literal; empty: no Content-Type
  HttpFields fields{};            // further ones; never Content-Length, Connection or Date
  Fragments body{};
};

// Answered with respond(), or with openStream(), any number of events, and closeStream(). All
// functions: any thread, never wait. What comes after the end, or when the client has gone, is
// dropped. One that is let go of without an answer is answered with 500. An answer without the body
// having been asked for ends the connection, unless there is none or all of it, with a length, had
// come along with the head.
class HttpExchange {
public:
  virtual ~HttpExchange() = default;
  virtual const HttpRequest &request() const noexcept = 0;
  // Overwrites what the Authorization fields hold, and those of the names given, in lower case: a
  // stream may stay open for hours after. On the transport's thread, before another one sees the
  // exchange or while it leaves these fields alone.
  virtual void forgetCredentials(std::span<const std::string> further) noexcept = 0;
  // Says that the credential of the request was accepted: when all places of the server are taken,
  // its connection is not closed for a new one.
  virtual void protectConnection() = 0;

  // Lets the body come, and the client hear 100 Continue if it waits for that. `whole` runs once,
  // on the transport's thread, when request().body is there: from within this call when there is
  // none to come and this is that thread. It is let go of without a call when the body never comes
  // in order, or the exchange is answered before; the client is told why by the transport. Once.
  // One of more than `most` bytes is refused with 413, if the transport allows it as many at all.
  // If `piece` is given, the body is not kept: request().body stays empty, and `piece` runs on the
  // transport's thread with each part of the body as it comes, before `whole`.
  using BodyPiece = std::function<void(std::string_view bytes)>;
  virtual void readBody(std::function<void()> whole, std::size_t most, BodyPiece piece) = 0;
  void readBody(std::function<void()> whole, std::size_t most = static_cast<std::size_t>(-1)) {
    readBody(std::move(whole), most, {});
  }
  virtual void respond(HttpResponse response) = 0;
  // Begins a text/event-stream with status 200. Comments keep it alive while nothing is sent. A
  // client that does not read is dropped when more than the transport's bound is unsent.
  virtual void openStream(const HttpFields &further) = 0;
  // `data` has no line ends. An empty `id` is left out; so is an empty `data` with an id to be
  // kept.
  virtual void event(std::string_view id, const Fragments &data) = 0;
  virtual void closeStream() = 0;
  // `gone` runs once, on the transport's thread, if the client goes before the answer is complete,
  // or its body does not come in order; at once, on this thread, if that has happened. A client
  // that only ends its own side of the connection, after a whole request, waits for the answer.
  // Forgotten after the end of the answer, and with the exchange. The last that is set counts.
  virtual void whenGone(std::function<void()> gone) = 0;
};

// Called with each request as soon as its head is there. Runs on the transport's thread, which it
// must not keep waiting.
using HttpHandler = std::function<void(std::shared_ptr<HttpExchange> exchange)>;

} // namespace skillhost
