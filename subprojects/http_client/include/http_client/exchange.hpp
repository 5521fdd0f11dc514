// SPDX-License-Identifier: Apache-2.0
// One HTTP request and its answer, carried by libcurl.
//
// Certificates are verified (TLS 1.2 and newer). Redirects are not followed, .netrc is not read,
// and cookies are not kept. Only http and https are supported.
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

// The proxy of a request.
enum class Proxy : std::uint8_t {
  None,
  Forwarder,   // the host's own proxy, if it restricts this process to a list of hosts
  Guarded,     // likewise; else for https that of https_proxy, all_proxy and no_proxy
  Environment, // whatever libcurl reads in the environment
};

// The receiver's answer to some bytes of a body.
enum class Taken : std::uint8_t {
  All,
  Refused, // ends the exchange
  Later,   // the same bytes come again after Exchange::resume()
};

struct Request {
  enum class Authentication : std::uint8_t { None, Basic, Bearer };

  std::string url;
  std::string method = "GET";
  std::vector<std::string> fields{};      // one line each; "Name:" removes a field of libcurl's
  std::optional<std::string_view> body{}; // the bytes must outlive the exchange
  Authentication authentication = Authentication::None;
  std::string user{}, secret{};   // for Basic; Bearer uses only the secret
  std::string agent{};            // User-Agent; empty: none
  std::string caFile{};           // PEM of trusted authorities; empty: the system's
  bool trustsCaFileAlone = false; // ignores the system's folder of authorities
  Proxy proxy = Proxy::None;

  // For Proxy::Guarded. A private address is refused, whatever name led to it, unless it is allowed
  // or the operator configured it. If a proxy of the environment is used, it resolves the name
  // itself.
  std::string host{};   // of `url`: lower case, an IPv6 literal in brackets
  bool isSecure = true; // https
  bool isNamed = false; // configured by the operator, so it may be private
  bool allowsPrivateAddresses = false;

  bool mayBeCompressed = false;      // gzip; take() gets the answer unpacked
  bool findsDeadPeers = false;       // sends probes during silence, and reuses no old connection
  std::size_t maxHeadBytes = 65'536; // of the answer; a longer head counts as refused
  std::chrono::milliseconds connectLimit{15'000}; // for connecting
  std::chrono::milliseconds totalLimit{0};        // for the whole exchange; 0: none
  long minBytesPerSecond = 0;                     // bytes per second; a slower transfer ends …
  std::chrono::seconds stallTimeout{0};           // … after this long; 0: never

  // Called when the head of the final answer is complete.
  std::function<void()> onHead{};
  // Receives more of the body. An exception counts as Refused.
  std::function<Taken(std::string_view)> take{};
};

// Used by one thread only.
class Exchange {
public:
  // `connections` must outlive it. Throws std::bad_alloc, and std::runtime_error if libcurl cannot
  // be loaded.
  explicit Exchange(Connections &connections);
  ~Exchange();
  Exchange(const Exchange &) = delete;
  Exchange &operator=(const Exchange &) = delete;

  // Starts a request, and gives up an earlier one. Connections::perform() then drives it. Throws
  // std::runtime_error if libcurl has no TLS.
  void start(Request request);
  // Removes it from the connections. Status, fields and reason stay readable.
  void end() noexcept;
  void resume(); // see Taken::Later

  bool hasEnded() const noexcept { return result_.has_value(); }
  // It has ended without a complete answer.
  bool hasFailed() const noexcept { return result_ && *result_ != 0; }
  // libcurl's reason for the failure.
  std::string reason() const;
  // True if take() refused, or if the head was too long.
  bool wasRefused() const noexcept { return wasRefused_; }
  bool isUntrusted() const noexcept; // the server's certificate is not trusted
  bool wasSent() const;              // the server may have seen the request
  // The private address that was refused; empty: none.
  const std::string &forbidden() const noexcept { return forbidden_; }

  // The answer's status, valid once its head is complete.
  long status() const;
  std::string field(const char *name) const; // the first field of that name; "" if none
  std::vector<std::string> fields(const char *name) const;
  std::string redirect() const;    // an absolute address, or ""
  std::int64_t retryAfter() const; // seconds; 0: not given

private:
  friend class Connections;
  struct Callbacks;

  void prepare();
  void setProxy();
  void setTrust();
  void setFields();

  Connections &connections_;
  void *easy_;
  void *fields_ = nullptr; // libcurl's list
  Request request_;
  bool isCarried_ = false, isGuarded_ = false, hasHead_ = false, wasRefused_ = false;
  std::optional<int> result_; // a CURLcode
  std::size_t headBytes_ = 0;
  std::string forbidden_;
  std::array<char, 256> reason_{};
};

} // namespace skillhost::web
