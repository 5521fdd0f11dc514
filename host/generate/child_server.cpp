// SPDX-License-Identifier: Apache-2.0
// The channel to a program.
#include "child_process.hpp"
#include "generate/server_channel.hpp"
#include "readiness.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t readAtOnce = std::size_t{64} << 10U;
constexpr std::chrono::milliseconds patienceWithEnd{500}; // to learn its exit code

class ChildServer final : public ServerChannel {
public:
  ChildServer(ChildProcess child, std::string name, int stop)
      : child_(std::move(child)), name_(std::move(name)), stop_(stop) {}

  Status send(std::string_view message, Deadline deadline) override {
    std::string line(message);
    line += '\n';
    for (std::string_view rest = line; !rest.empty();) {
      const ssize_t done = ::write(child_.input(), rest.data(), rest.size());
      if (done > 0) rest.remove_prefix(static_cast<std::size_t>(done));
      if (done >= 0 || errno == EINTR) continue;
      if (errno != EAGAIN) return gone();
      const Status ready = awaitReadiness({child_.input(), Direction::Out}, stop_, deadline);
      if (!ready) return ready;
    }
    return Done{};
  }

  Result<std::string> receive(Deadline deadline) override {
    for (;;) {
      if (auto line = nextLine()) return *std::move(line);
      if (atEnd_) return gone();
      if (buffer_.size() > mostMessageBytes)
        return {Fault::TooLarge, name_ + ": a line is longer than 64 MiB"};
      const Status ready = awaitReadiness({child_.output(), Direction::In}, stop_, deadline);
      if (!ready) return ready.failure();
      std::array<char, readAtOnce> bytes;
      const ssize_t got = ::read(child_.output(), bytes.data(), bytes.size());
      if (got > 0) buffer_.append(bytes.data(), static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) atEnd_ = true;
    }
  }

private:
  std::optional<std::string> nextLine() {
    const std::size_t end = buffer_.find('\n', looked_);
    if (end == std::string::npos) {
      // Only here, so that many short lines are not moved again and again.
      buffer_.erase(0, std::exchange(begin_, 0));
      looked_ = buffer_.size();
      return std::nullopt;
    }
    std::string line = buffer_.substr(begin_, end - begin_);
    begin_ = looked_ = end + 1;
    return line;
  }
  Failure gone() const { return {Fault::Unavailable, name_ + ' ' + child_.end(patienceWithEnd)}; }

  const ChildProcess child_;
  const std::string name_;
  const int stop_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of the next line
  std::size_t looked_ = 0; // before this it has no end
  bool atEnd_ = false;
};

} // namespace

OpenServer programServer(std::vector<std::string> words, int stop) {
  return [words = std::move(words), stop]() -> Result<std::unique_ptr<ServerChannel>> {
    Result<ChildProcess> child = ChildProcess::start(words);
    if (!child) return child.failure();
    return {std::make_unique<ChildServer>(*std::move(child), words.front(), stop)};
  };
}

} // namespace skillhost
