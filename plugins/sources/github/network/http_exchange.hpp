// SPDX-License-Identifier: Apache-2.0
// One step of git's smart protocol: a request and its answer. For http_conversation.cpp.
#pragma once

#include "http_conversation.hpp"
#include "transfer.hpp"

namespace skillhost::github {

class HttpExchange final : public Stream {
public:
  enum class Kind { get, post };

  // What is written before the first read() is the body of a post.
  HttpExchange(web::Connections &connections, const HttpAccess &access,
               remote::Operation &operation, const std::string &url, Kind kind);

  std::size_t read(char *into, std::size_t most) override;
  void write(std::string_view bytes) override { transfer_.write(bytes); }

  // Waits for the head of the answer: where it redirects to, or "".
  std::string awaitHead();

private:
  [[noreturn]] void refuse(long status);

  const HttpAccess &access_;
  Kind kind_;
  Transfer transfer_;
};

} // namespace skillhost::github
