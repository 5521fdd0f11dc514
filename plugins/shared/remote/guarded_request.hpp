// SPDX-License-Identifier: Apache-2.0
// One request by libcurl, as every remote is asked, whoever sends it and reads the answer.
#pragma once

#include <skillhost/plugin.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <curl/curl.h>

namespace skillhost::remote {

// Throws skh::Error(SKH_FAILED) when libcurl has no such option.
template <class Value> void setOption(CURL *handle, CURLoption option, Value value) {
  if (curl_easy_setopt(handle, option, value) != CURLE_OK)
    throw skh::Error(SKH_FAILED, "libcurl refuses an option: it was built without TLS");
}

// What one thread has under way at once; connections are kept between requests. Throws
// std::bad_alloc.
class CurlMany {
public:
  CurlMany();
  ~CurlMany() { curl_multi_cleanup(handle_); }
  CurlMany(const CurlMany &) = delete;
  CurlMany &operator=(const CurlMany &) = delete;
  CURLM *handle() const noexcept { return handle_; }

private:
  CURLM *handle_;
};

struct Destination {
  std::string url;
  std::string host; // of the url: lower case, an IPv6 literal in brackets
  bool isSecure = true;
  bool isNamed = false; // the operator wrote this host: an address of this network is meant
  std::string caFile, agent;
  bool allowPrivateAddresses = false;
};

// Certificates are verified (TLS 1.2 and newer), no redirect is followed, nobody's .netrc is read,
// a connection takes 15 s at most and the head of an answer 64 KiB. No address is spoken to that
// the destination does not allow, whatever name led there; a proxy from the environment
// (https_proxy, no_proxy; for https alone) decides by itself where a name is asked.
class GuardedRequest {
public:
  // `many` outlives it. Throws std::bad_alloc.
  explicit GuardedRequest(CURLM *many);
  ~GuardedRequest();
  GuardedRequest(const GuardedRequest &) = delete;
  GuardedRequest &operator=(const GuardedRequest &) = delete;

  // Begins anew: what was set before is gone. Throws skh::Error as setOption().
  void prepare(const Destination &destination, const std::vector<std::string> &headers);
  void begin(); // from now on `many` drives it
  void end() noexcept;
  CURL *handle() const noexcept { return one_; } // for options that are not said above

  // Of the answer, once its head is there.
  long status() const;
  std::string header(const char *name) const;             // "" when there is no such field
  std::string redirect() const;                           // an absolute address, or ""
  std::optional<std::chrono::seconds> retryAfter() const; // see wantedWait()

  // Why there is none: words that follow what was asked.
  std::string trouble(CURLcode code) const;
  bool isForbidden() const noexcept { return !forbidden_.empty(); } // trying again is no use

private:
  static std::size_t countHead(char *data, std::size_t one, std::size_t size, void *self) noexcept;
  static curl_socket_t connect(void *self, curlsocktype purpose, curl_sockaddr *to) noexcept;

  CURLM *many_;
  CURL *one_;
  curl_slist *headers_ = nullptr;
  bool hasBegun_ = false, isGuarded_ = true;
  std::size_t headBytes_ = 0;
  std::string forbidden_; // the address that was not spoken to
  std::array<char, CURL_ERROR_SIZE> reason_{};
};

} // namespace skillhost::remote
