// SPDX-License-Identifier: Apache-2.0
// An HTTP exchange without its sockets: a request, and the only way to answer it (RFC 9110; event
// streams as in the HTML standard).
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
  std::string_view name, value; // name in lower case, value without surrounding white space
};

// The certificate of a TLS client, verified against the configured authorities. Its texts are valid
// UTF-8 without control characters.
struct ClientCertificate {
  std::string subject, issuer;    // RFC 4514; may be empty
  std::vector<std::string> names; // "dns:…", "email:…", "uri:…", "ip:…"
  std::string sha256;             // of the DER form, in hexadecimal digits
  std::int64_t expiresAt = 0;     // Unix seconds; 0: unreadable
};

// All views live as long as their exchange.
struct HttpRequest {
  std::string_view method;       // as sent: "GET"
  std::string_view path, query;  // the target before and after its first '?', as sent
  std::vector<HttpField> fields; // in order; repeated ones stay apart
  std::string_view body;         // the whole body, without transfer coding; empty until requested
  // "192.0.2.1:4711", "[2001:db8::1]:4711" or "unix:uid=1000": the client that sent the request,
  // even through trusted proxies. Port 0: unknown.
  std::string_view peer;
  bool secure = false;    // came over TLS
  bool fromProxy = false; // sent by a trusted proxy, whose fields about the client hold
  std::shared_ptr<const ClientCertificate> certificate; // null: no certificate

  // Returns the first field with `name`, which must be in lower case.
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

// Returns a peer's IP address, or the whole of "unix:uid=1000".
inline std::string_view addressOf(std::string_view peer) {
  return peer.starts_with("unix:") ? peer : peer.substr(0, peer.rfind(':'));
}
// Returns the unit in which a peer's requests are counted. Like addressOf(), but an IPv6 address
// becomes its /64 ("2001:db8::/64"), because a client with one of its addresses has all of them.
std::string networkOf(std::string_view peer);

// Returns true if a Host field, or the part of an Origin field behind "://", is a host with or
// without a port (RFC 3986 §3.2) and nothing else: no user, no path, no percent-encoding, no list.
bool isAuthority(std::string_view text) noexcept;

// Returns the media type of a Content-Type field, in lower case and without its parameters (RFC
// 9110 §8.3.1): "application/json" for "Application/JSON ; charset=utf-8".
std::string mediaTypeOf(std::string_view field);

using HttpFields = std::vector<std::pair<std::string, std::string>>;

struct HttpResponse {
  int status = 200;
  std::string_view contentType{}; // a literal; empty: no Content-Type
  HttpFields fields{};            // further fields, never Content-Length, Connection or Date
  Fragments body{};
};

// One request and its answer. Call respond(), or openStream(), any number of event() and
// closeStream(). All functions may be called on any thread and never wait. Calls after the end, or
// after the client has gone, are ignored. An exchange that is released without an answer is
// answered with 500. An answer without a request for the body ends the connection, unless there is
// no body, or all of it, with a length, has arrived with the head.
class HttpExchange {
public:
  virtual ~HttpExchange() = default;
  virtual const HttpRequest &request() const noexcept = 0;
  // Overwrites the values of the Authorization fields and of the fields in `further` (lower case),
  // because a stream may stay open for hours. Call it on the transport's thread, before another
  // thread sees the exchange or while no other thread reads these fields.
  virtual void forgetCredentials(std::span<const std::string> further) noexcept = 0;
  // Records that the credential of the request was accepted. The server then does not close the
  // connection to make room for a new one.
  virtual void protectConnection() = 0;

  // Requests the body, and sends 100 Continue if the client waits for it. `whole` runs once, on the
  // transport's thread, when request().body is complete; it runs within this call if there is no
  // body left to read and this is that thread. It is released without a call if the body fails, in
  // which case the transport answers the client, or if the exchange is answered earlier. Call it
  // once. A body of more than `maxBytes` bytes is refused with 413, and the transport's own limit
  // applies, too. With `piece`, request().body stays empty, and `piece` runs on the transport's
  // thread for each part of the body, before `whole`. It returns how many bytes of the body are
  // kept elsewhere until the exchange ends. The transport counts them like those of a body that it
  // keeps itself, and answers with 503 if all bodies together exceed its limits.
  using BodyPiece = std::function<std::size_t(std::string_view bytes)>;
  virtual void readBody(std::function<void()> whole, std::size_t maxBytes, BodyPiece piece) = 0;
  void readBody(std::function<void()> whole, std::size_t maxBytes = static_cast<std::size_t>(-1)) {
    readBody(std::move(whole), maxBytes, {});
  }
  // Lets readBody() take a body with a content coding, such as gzip, as it was sent. Otherwise such
  // a body is refused with 415. Call it before readBody().
  virtual void takeCodedBody() noexcept {}
  virtual void respond(HttpResponse response) = 0;
  // Opens a text/event-stream with status 200. Comments keep it alive while nothing is sent. A
  // client that does not read is dropped when more than the transport's limit is unsent.
  virtual void openStream(const HttpFields &further) = 0;
  // `data` has no line ends. An empty `id` is left out, and so is an empty `data` beside an id.
  virtual void event(std::string_view id, const Fragments &data) = 0;
  virtual void closeStream() = 0;
  // `gone` runs once, on the transport's thread, if the client goes before the answer is complete,
  // or if its body fails. If that has already happened, it runs at once on this thread. A client
  // that only ends its own side of the connection after a whole request still waits for the answer.
  // `gone` is released after the end of the answer, and with the exchange. The last one set counts.
  virtual void whenGone(std::function<void()> gone) = 0;
};

// Called with each request as soon as its head is complete. It runs on the transport's thread and
// must not block it.
using HttpHandler = std::function<void(std::shared_ptr<HttpExchange> exchange)>;

} // namespace skillhost
