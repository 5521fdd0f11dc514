// SPDX-License-Identifier: Apache-2.0
// A server over Streamable HTTP. Each refresh has a conversation of its own.
#pragma once

#include "credential.hpp"
#include "upstream.hpp"

#include "http_client/connections.hpp"

#include <memory>
#include <string>

namespace skillhost::mcp_source {

class HttpUpstream final : public Upstream {
public:
  // `settings` and `credential` must outlive it. `agent` is the User-Agent, `version` this
  // program's.
  HttpUpstream(const Settings &settings, std::string agent, std::string version,
               Credential &credential);

  std::unique_ptr<Connection> connect(remote::Operation &operation) override;

private:
  const Settings &settings_;
  const std::string agent_, version_;
  Credential &credential_;
  web::Connections connections_;
};

} // namespace skillhost::mcp_source
