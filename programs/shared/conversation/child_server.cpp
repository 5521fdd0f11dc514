// SPDX-License-Identifier: Apache-2.0
// The channel to a program on its standard input and output.
#include "base/log.hpp"
#include "conversation/open_server.hpp"
#include "ground/child_process.hpp"
#include "ground/readiness.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t readAtOnce = std::size_t{64} << 10U;
constexpr std::chrono::milliseconds patienceWithEnd{500}; // time to learn its exit code
constexpr std::chrono::milliseconds untilTerm{1'000}, untilKill{2'000};

class ChildServer final : public ServerChannel {
public:
  ChildServer(ChildProcess child, Descriptor input, Descriptor output, std::string name, int stop)
      : child_(std::move(child)), input_(std::move(input)), output_(std::move(output)),
        name_(std::move(name)), stop_(stop) {
    for (const Descriptor *end : {&input_, &output_}) ::fcntl(end->number(), F_SETFL, O_NONBLOCK);
  }
  // Ends the program: closes its input, sends SIGTERM to its group after one second, and SIGKILL
  // after two more.
  ~ChildServer() override {
    input_.reset();
    output_.reset();
    if (child_.endsWithin(untilTerm)) return;
    child_.terminate();
    child_.endsWithin(untilKill);
  }

  Status send(std::string_view message, Deadline deadline) override {
    std::string line(message);
    line += '\n';
    for (std::string_view rest = line; !rest.empty();) {
      const ssize_t done = ::write(input_.number(), rest.data(), rest.size());
      if (done > 0) rest.remove_prefix(static_cast<std::size_t>(done));
      if (done >= 0 || errno == EINTR) continue;
      if (errno != EAGAIN) return gone();
      const Status ready = awaitReadiness({input_.number(), Direction::Out}, stop_, deadline);
      if (!ready) return ready;
    }
    return Done{};
  }

  void warn(const std::string &words) override { log::warning("mcp", words); }

  Result<std::string> receive(Deadline deadline) override {
    for (;;) {
      if (auto line = nextLine()) return *std::move(line);
      if (atEnd_) return gone();
      if (buffer_.size() > maxMessageBytes)
        return {Fault::TooLarge, name_ + ": a line is longer than 64 MiB"};
      const Status ready = awaitReadiness({output_.number(), Direction::In}, stop_, deadline);
      if (!ready) return ready.failure();
      std::array<char, readAtOnce> bytes;
      const ssize_t got = ::read(output_.number(), bytes.data(), bytes.size());
      if (got > 0) buffer_.append(bytes.data(), static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) atEnd_ = true;
    }
  }

private:
  std::optional<std::string> nextLine() {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end == std::string::npos) {
      // Erase only here, so that many short lines are not moved again and again.
      buffer_.erase(0, std::exchange(begin_, 0));
      searched_ = buffer_.size();
      return std::nullopt;
    }
    std::string line = buffer_.substr(begin_, end - begin_);
    begin_ = searched_ = end + 1;
    return line;
  }
  Failure gone() {
    const bool ended = child_.endsWithin(patienceWithEnd);
    return {Fault::Unavailable,
            name_ + ' ' + (ended ? howItEnded(child_.reap()) : "closed its output")};
  }

  ChildProcess child_;
  Descriptor input_, output_; // non-blocking
  const std::string name_;
  const int stop_;
  std::string buffer_;
  std::size_t begin_ = 0;    // start of the next line
  std::size_t searched_ = 0; // no line ends before it
  bool atEnd_ = false;
};

} // namespace

OpenServer programServer(std::vector<std::string> words, int stop) {
  return [words = std::move(words), stop]() -> Result<std::unique_ptr<ServerChannel>> {
    Result<Pipe> in = Pipe::open();
    if (!in) return in.failure();
    Result<Pipe> out = Pipe::open();
    if (!out) return out.failure();
    Result<ChildProcess> child =
        ChildProcess::start({words, {in->read.number(), out->write.number()}, {}});
    if (!child) return child.failure();
    return {std::make_unique<ChildServer>(*std::move(child), std::move(in->write),
                                          std::move(out->read), words.front(), stop)};
  };
}

} // namespace skillhost
