// SPDX-License-Identifier: Apache-2.0
// One handle of libcurl with the connections it keeps. For client.cpp; used by one thread at once.
#pragma once

#include "http/client.hpp"

#include <array>

#include <curl/curl.h>

namespace skillhost::http {

class ClientConnection {
public:
  // Throws std::bad_alloc.
  ClientConnection();
  ~ClientConnection();
  ClientConnection(const ClientConnection &) = delete;
  ClientConnection &operator=(const ClientConnection &) = delete;

  // As Client::send(). After a throw the connection may be used again.
  Response send(const skh::Call &call, const Request &request, const Options &options);

private:
  struct Receiving;

  // `body` and `headers` must stay until the request is answered.
  void prepare(const Request &request, const std::string &body, curl_slist *headers,
               const Options &options, Receiving &receiving);
  CURLcode perform(const skh::Call &call);
  static std::size_t receive(char *data, std::size_t one, std::size_t size, void *receiving);
  static std::size_t receiveHeader(char *data, std::size_t one, std::size_t size, void *receiving);

  CURLM *many_; // so that waiting can be cut short
  CURL *one_;
  std::array<char, CURL_ERROR_SIZE> reason_{};
};

} // namespace skillhost::http
