// SPDX-License-Identifier: Apache-2.0
// Performs one step of git's smart protocol: a request and its answer. Used by
// http_conversation.cpp.
#pragma once

#include "http_conversation.hpp"
#include "transfer.hpp"

namespace skillhost::github {

class HttpExchange final : public Stream {
public:
  enum class Kind { get, post };

  // Bytes written before the first read() become the body of a post.
  HttpExchange(web::Connections &connections, const HttpAccess &access,
               remote::Operation &operation, const std::string &url, Kind kind);

  std::size_t read(char *into, std::size_t maxBytes) override;
  void write(std::string_view bytes) override { transfer_.write(bytes); }

  // Waits for the head of the answer. Returns the target of a redirect, or "".
  std::string awaitHead();

private:
  [[noreturn]] void refuse(long status);

  const HttpAccess &access_;
  Kind kind_;
  Transfer transfer_;
};

} // namespace skillhost::github
