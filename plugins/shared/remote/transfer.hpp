// SPDX-License-Identifier: Apache-2.0
// One request of a Fetcher, from its first address to where redirects lead. For fetcher.cpp.
#pragma once

#include "fetcher.hpp"

#include "web_address.hpp"

#include <array>
#include <cstddef>

#include <curl/curl.h>

namespace skillhost::remote {

class Fetcher::Transfer {
public:
  Transfer(CURLM *many, const FetchRules &rules, Operation &operation, const Wanted &wanted,
           std::size_t which);
  ~Transfer();
  Transfer(const Transfer &) = delete;
  Transfer &operator=(const Transfer &) = delete;

  // Begins to ask; false when it may not be asked, and result() says why.
  bool start();
  // libcurl is done: true when this is the end, false when a redirect is being followed.
  bool finish(CURLcode code);

  CURL *handle() const noexcept { return one_; }
  std::size_t which() const noexcept { return which_; }
  Fetched &result() noexcept { return result_; }

private:
  bool ask(const std::string &url);
  void prepare(const WebAddress &address);
  void addHeader(const std::string &line);
  void leave();
  bool fail(const std::string &why);
  static std::size_t receive(char *data, std::size_t one, std::size_t size, void *self) noexcept;
  static std::size_t receiveHeader(char *data, std::size_t one, std::size_t size,
                                   void *self) noexcept;
  static curl_socket_t connect(void *self, curlsocktype purpose, curl_sockaddr *to) noexcept;

  CURLM *many_;
  CURL *one_;
  curl_slist *headers_ = nullptr;
  const FetchRules &rules_;
  Operation &operation_;
  const Wanted &wanted_;
  const std::size_t which_;
  std::string where_; // the address that is being asked, without its query
  std::string now_;   // the whole of it
  int followed_ = 0;
  bool added_ = false, guarded_ = true, tooLarge_ = false;
  std::size_t headerBytes_ = 0;
  std::string refusedAddress_;
  std::array<char, CURL_ERROR_SIZE> reason_{};
  Fetched result_;
};

} // namespace skillhost::remote
