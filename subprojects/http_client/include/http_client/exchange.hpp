// SPDX-License-Identifier: Apache-2.0
// One request over HTTP and its answer, carried by libcurl.
//
// Certificates are verified (TLS 1.2 and newer). Redirects are not followed, no .netrc is read, no
// cookie is kept. Only http and https are spoken.
#pragma once

#include "http_client/connections.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::web {

// Who carries a request to its server.
enum class Proxy : std::uint8_t {
  None,
  Forwarder,   // the host's own proxy, where that holds this process to a list of hosts
  Guarded,     // the same; else for https what https_proxy, all_proxy and no_proxy name
  Environment, // whatever libcurl reads in the environment
};

// What becomes of the bytes of a body.
enum class Taken : std::uint8_t {
  All,
  Refused, // the exchange ends
  Later,   // the same bytes come again after Exchange::resume()
};

struct Request {
  enum class Authentication : std::uint8_t { None, Basic, Bearer };

  std::string url;
  std::string method = "GET";
  std::vector<std::string> fields{};      // each a line; "Name:" leaves out what libcurl would send
  std::optional<std::string_view> body{}; // the bytes outlive the exchange
  Authentication authentication = Authentication::None;
  std::string user{}, secret{};   // of Basic; Bearer has the secret alone
  std::string agent{};            // User-Agent; empty: none
  std::string caFile{};           // PEM of trusted authorities; empty: those of the system
  bool trustsCaFileAlone = false; // not what the system keeps in a folder, besides
  Proxy proxy = Proxy::None;

  // Of Proxy::Guarded. An address that is not given out to the world is not spoken to, whatever
  // name led there, unless it is allowed or the operator wrote it. A proxy of the environment
  // decides by itself where a name is asked.
  std::string host{};   // of the url: lower case, an IPv6 literal in brackets
  bool isSecure = true; // https
  bool isNamed = false; // the operator wrote this host: an address of this network is meant
  bool allowsPrivateAddresses = false;

  bool mayBeCompressed = false; // the answer, by gzip; take() gets it unpacked
  bool findsDeadPeers = false;  // sends probes while nothing comes, and reuses no old connection
  std::size_t mostHeadBytes = 65'536;             // of the answer; a longer one counts as refused
  std::chrono::milliseconds connectLimit{15'000}; // for the connection
  std::chrono::milliseconds totalLimit{0};        // for all of it; 0: none
  long slowest = 0;                               // bytes a second, of which less …
  std::chrono::seconds quiet{0};                  // … for so long ends it; 0: never

  // The head of the final answer is there.
  std::function<void()> onHead{};
  // More of the body. An exception counts as Refused.
  std::function<Taken(std::string_view)> take{};
};

// One thread.
class Exchange {
public:
  // `connections` outlives it. Throws std::bad_alloc, and std::runtime_error when libcurl cannot be
  // loaded.
  explicit Exchange(Connections &connections);
  ~Exchange();
  Exchange(const Exchange &) = delete;
  Exchange &operator=(const Exchange &) = delete;

  // Begins anew: what was asked before is given up. From now on Connections::perform() drives it.
  // Throws std::runtime_error when libcurl has no TLS.
  void start(Request request);
  // Takes it from the connections; status, fields and reason can still be read.
  void end() noexcept;
  void resume(); // see Taken::Later

  bool hasEnded() const noexcept { return result_.has_value(); }
  // It has ended without a whole answer.
  bool hasFailed() const noexcept { return result_ && *result_ != 0; }
  // Why: the words of libcurl.
  std::string reason() const;
  // By take(), or its head was too long.
  bool wasRefused() const noexcept { return wasRefused_; }
  bool isUntrusted() const noexcept; // the server's certificate
  bool wasSent() const;              // the server may have seen the request
  // The private address that was not spoken to; empty: there was none.
  const std::string &forbidden() const noexcept { return forbidden_; }

  // Of the answer, once its head is there.
  long status() const;
  std::string field(const char *name) const; // the first of that name; "" when there is none
  std::vector<std::string> fields(const char *name) const;
  std::string redirect() const;    // an absolute address, or ""
  std::int64_t retryAfter() const; // seconds; 0: the server does not say

private:
  friend class Connections;
  struct Callbacks;

  void prepare();
  void setProxy();
  void setTrust();
  void setFields();

  Connections &connections_;
  void *easy_;
  void *fields_ = nullptr; // a list of libcurl
  Request request_;
  bool isCarried_ = false, isGuarded_ = false, hasHead_ = false, wasRefused_ = false;
  std::optional<int> result_; // a CURLcode
  std::size_t headBytes_ = 0;
  std::string forbidden_;
  std::array<char, 256> reason_{};
};

} // namespace skillhost::web
