// SPDX-License-Identifier: Apache-2.0
#include "client.hpp"

#include "connection.hpp"
#include "url.hpp"

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

#include <mutex>

namespace skillhost::http {
namespace {

constexpr std::size_t mostIdle = 4;

} // namespace

// The ones not in use.
class Connections {
public:
  explicit Connections(Options options) : options_(std::move(options)) {}
  const Options &options() const noexcept { return options_; }

  std::unique_ptr<ClientConnection> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<ClientConnection> one = std::move(idle_.back());
        idle_.pop_back();
        return one;
      }
    }
    return std::make_unique<ClientConnection>();
  }
  void give(std::unique_ptr<ClientConnection> one) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < mostIdle) idle_.push_back(std::move(one));
  }

private:
  const Options options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ClientConnection>> idle_;
};

Request::~Request() {
  for (auto &[name, value] : form) ::explicit_bzero(value.data(), value.size());
}

Client::Client(Options options) : connections_(std::make_unique<Connections>(std::move(options))) {}
Client::~Client() = default;

Response Client::send(const skh::Call &call, const Request &request) {
  if (!isAllowedUrl(request.url))
    throw skh::Error(SKH_INVALID, std::string(withoutQuery(request.url)) +
                                      ": must be an https:// address (http:// is for this "
                                      "machine alone)");
  call.point();
  std::unique_ptr<ClientConnection> connection = connections_->take();
  Response response = connection->send(call, request, connections_->options());
  connections_->give(std::move(connection)); // one that failed is not used again
  return response;
}

} // namespace skillhost::http
