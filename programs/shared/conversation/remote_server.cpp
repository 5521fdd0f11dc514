// SPDX-License-Identifier: Apache-2.0
// The channel to a server over HTTP.
#include "base/log.hpp"
#include "connection/connector.hpp"
#include "conversation/open_server.hpp"
#include "ground/readiness.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxWaiting = 64; // messages, after which reading pauses

class RemoteServer final : public ServerChannel {
public:
  // Throws std::runtime_error like the connector.
  RemoteServer(ConnectSettings settings, int stop)
      : stop_(stop), patience_(settings.patience),
        connector_(
            std::move(settings), [this](const Fragments &message) { take(message); },
            [this] { return waiting() >= maxWaiting; }) {}
  ~RemoteServer() override {
    connector_.stop(); // gives up the requests under way
    connector_.finish();
  }
  RemoteServer(const RemoteServer &) = delete;
  RemoteServer &operator=(const RemoteServer &) = delete;

  Status send(std::string_view message, Deadline) override {
    connector_.receive(message);
    return Done{};
  }

  Result<std::string> receive(Deadline deadline) override {
    for (;;) {
      if (auto line = next()) return *std::move(line);
      const Status ready = awaitReadiness({come_.number, Direction::In}, stop_, deadline);
      if (!ready) return ready.failure();
      std::uint64_t times = 0;
      [[maybe_unused]] const ssize_t got = ::read(come_.number, &times, sizeof times);
    }
  }

  void warn(const std::string &words) override { log::warning("mcp", words); }

  // The connector answers by itself when the server has been away for its patience.
  std::chrono::milliseconds patience() const override {
    return patience_ + std::chrono::seconds(1);
  }

private:
  struct Event {
    Event() : number(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
    ~Event() { ::close(number); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;
    const int number;
  };

  // Called on the connector's thread.
  void take(const Fragments &message) {
    {
      const std::scoped_lock lock(mutex_);
      messages_.push_back(message.text());
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t done = ::write(come_.number, &one, sizeof one);
  }
  std::size_t waiting() {
    const std::scoped_lock lock(mutex_);
    return messages_.size();
  }
  std::optional<std::string> next() {
    const std::scoped_lock lock(mutex_);
    if (messages_.empty()) return std::nullopt;
    std::string first = std::move(messages_.front());
    messages_.pop_front();
    return first;
  }

  const int stop_;
  const std::chrono::milliseconds patience_;
  Event come_; // readable when a message waits
  std::mutex mutex_;
  std::deque<std::string> messages_;
  Connector connector_; // last: its thread uses the other members
};

} // namespace

OpenServer remoteServer(ConnectSettings settings, int stop) {
  return [settings = std::move(settings), stop]() -> Result<std::unique_ptr<ServerChannel>> {
    try {
      return {std::make_unique<RemoteServer>(settings, stop)};
    } catch (const std::exception &why) {
      return {Fault::Unavailable, why.what()};
    }
  };
}

} // namespace skillhost
