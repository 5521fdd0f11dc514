// SPDX-License-Identifier: Apache-2.0
#include "http_upstream.hpp"

#include "http_channel.hpp"

#include <utility>

namespace skillhost::mcp_source {
namespace {

class HttpConnection final : public Connection {
public:
  HttpConnection(GreetedServer server, HttpChannel &channel)
      : server_(std::move(server)), channel_(channel) {}

  GreetedServer &server() noexcept override { return server_; }
  SourceChannel &channel() noexcept override { return channel_; }

private:
  GreetedServer server_;
  HttpChannel &channel_; // of the conversation
};

} // namespace

HttpUpstream::HttpUpstream(const Settings &settings, std::string agent, std::string version,
                           Credential &credential)
    : settings_(settings), agent_(std::move(agent)), version_(std::move(version)),
      credential_(credential) {}

std::unique_ptr<Connection> HttpUpstream::connect(remote::Operation &operation) {
  HttpChannel *channel = nullptr;
  const OpenServer open = [&]() -> Result<std::unique_ptr<ServerChannel>> {
    auto opened =
        std::make_unique<HttpChannel>(settings_, agent_, credential_, connections_, operation);
    channel = opened.get();
    return {std::move(opened)};
  };
  Result<GreetedServer> greeted = greet(open, Deadline::never(), version_);
  if (!greeted) throw remote::RemoteError(greeted.failure().message);
  return std::make_unique<HttpConnection>(*std::move(greeted), *channel);
}

} // namespace skillhost::mcp_source
