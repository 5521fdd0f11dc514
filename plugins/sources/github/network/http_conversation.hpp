// SPDX-License-Identifier: Apache-2.0
// Speaks git's smart protocol over HTTP and HTTPS (gitprotocol-http), with libcurl.
//
// Certificates are verified (TLS 1.2 and newer). Redirects are followed only when the refs are
// listed (Step::advertise), at most three, and only to https or within one http:// origin. The
// token is only sent to the origin of the configured address. IP addresses that the configuration
// does not allow are never contacted, also if a redirect or a host name leads to them.
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
  // Follows the redirects of Step::advertise. Later steps use the URL to which they led.
  std::unique_ptr<Stream> open(Step step) override;

private:
  const HttpAccess &access_;
  remote::Operation &operation_;
  std::string repositoryUrl_; // the configured URL, or the one to which redirects led
  std::unique_ptr<web::Connections> connections_; // keeps the connection open between two steps
};

} // namespace skillhost::github
