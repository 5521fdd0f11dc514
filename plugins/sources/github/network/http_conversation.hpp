// SPDX-License-Identifier: Apache-2.0
// git's smart protocol over HTTP and HTTPS (gitprotocol-http), by libcurl.
//
// Certificates are verified (TLS 1.2 and newer). Only redirects of the first step are followed, at
// most three, and only to https. The token is only sent to the origin of the configured address.
// Addresses that the configuration does not allow are never contacted, whatever name led there.
#pragma once

#include "conversation.hpp"
#include "transfer.hpp"

#include <string>

namespace skillhost::github {

struct HttpAccess {
  // URL of the repository, http:// or https://.
  std::string url;
  std::string user, token;
  HttpRules rules;
};

class HttpConversation final : public Conversation {
public:
  HttpConversation(const HttpAccess &access, remote::Operation &operation);
  ~HttpConversation() override;

  bool isStateless() const noexcept override { return true; }
  // Follows redirects of the first step and remembers where they led.
  std::unique_ptr<Stream> open(Step step) override;

private:
  const HttpAccess &access_;
  remote::Operation &operation_;
  std::string base_;                              // present address of the repository
  std::unique_ptr<web::Connections> connections_; // keeps the connection open between two steps
};

} // namespace skillhost::github
