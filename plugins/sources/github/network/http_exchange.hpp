// SPDX-License-Identifier: Apache-2.0
// One request and its answer, read while it comes. For http_conversation.cpp.
#pragma once

#include "http_conversation.hpp"

#include <array>

#include <curl/curl.h>

namespace skillhost::github {

// Throws std::bad_alloc.
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

class HttpExchange final : public Stream {
public:
  enum class Kind { get, post };

  // What is written before the first read() is the body of a post.
  HttpExchange(CURLM *many, const HttpAccess &access, Operation &operation, const std::string &url,
               Kind kind);
  ~HttpExchange() override;

  std::size_t read(char *into, std::size_t most) override;
  void write(std::string_view bytes) override;

  // Waits for the head of the answer: where it redirects to, or "".
  std::string awaitHead();

private:
  void prepare(const std::string &url);
  void send();
  void proceed();
  void finish(CURLcode code);
  [[noreturn]] void refuse(long status);
  static std::size_t receive(char *data, std::size_t one, std::size_t size, void *self);
  static curl_socket_t connect(void *self, curlsocktype purpose, curl_sockaddr *to);

  CURLM *many_;
  CURL *one_;
  curl_slist *headers_ = nullptr;
  const HttpAccess &access_;
  Operation &operation_;
  std::string where_; // for messages, which are told with the configured address
  Kind kind_;
  bool guarded_ = true; // addresses are judged
  bool sent_ = false, done_ = false;
  std::string body_;
  std::string received_;
  std::size_t taken_ = 0; // of received_
  std::string refusedAddress_;
  std::array<char, CURL_ERROR_SIZE> reason_{};
};

} // namespace skillhost::github
