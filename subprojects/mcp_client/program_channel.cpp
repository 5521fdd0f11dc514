// SPDX-License-Identifier: Apache-2.0
#include "mcp_client/program_channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t readAtOnce = std::size_t{64} << 10U;
constexpr std::size_t maxUnsentBytes = std::size_t{1} << 20U, maxErrorLineBytes = 1'000;
constexpr int maxLastReads = 16;             // of the error output, when the program has ended
constexpr milliseconds patienceWithEnd{500}; // time to learn its exit code

void makeNonBlocking(const Descriptor &end) {
  if (end) ::fcntl(end.number(), F_SETFL, O_NONBLOCK);
}

int timeoutUntil(Deadline deadline) {
  constexpr milliseconds longest = std::chrono::minutes(1); // per wait, then repeats
  if (deadline.isNever()) return static_cast<int>(longest.count());
  const auto left = std::chrono::ceil<milliseconds>(deadline.at() - Deadline::Clock::now());
  return static_cast<int>(std::clamp(left, milliseconds(0), longest).count());
}

std::string sizeText(std::size_t bytes) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20U;
  return bytes % mebibyte == 0 ? std::to_string(bytes / mebibyte) + " MiB"
                               : std::to_string(bytes) + " bytes";
}

} // namespace

struct ProgramChannel::Pipes {
  Descriptor input, output, errors; // our ends
};

Result<std::unique_ptr<ProgramChannel>> ProgramChannel::start(ServerProgram server, int stop) {
  Result<Pipe> in = Pipe::open();
  if (!in) return in.failure();
  Result<Pipe> out = Pipe::open();
  if (!out) return out.failure();
  server.program.descriptors = {in->read.number(), out->write.number()};
  Pipe errors;
  if (server.onErrorLine) {
    Result<Pipe> opened = Pipe::open();
    if (!opened) return opened.failure();
    errors = std::move(*opened);
    server.program.descriptors.push_back(errors.write.number());
  }
  Result<ChildProcess> child = ChildProcess::start(server.program);
  if (!child) return child.failure();
  Pipes pipes{std::move(in->write), std::move(out->read), std::move(errors.read)};
  return std::unique_ptr<ProgramChannel>(
      new ProgramChannel(std::move(server), *std::move(child), std::move(pipes), stop));
}

ProgramChannel::ProgramChannel(ServerProgram server, ChildProcess child, Pipes pipes, int stop)
    : server_(std::move(server)), name_(server_.program.words.front()), stop_(stop),
      child_(std::move(child)), input_(std::move(pipes.input)), output_(std::move(pipes.output)),
      errors_(std::move(pipes.errors)) {
  for (const Descriptor *end : {&input_, &output_, &errors_}) makeNonBlocking(*end);
}

ProgramChannel::~ProgramChannel() {
  input_.reset();
  output_.reset();
  errors_.reset();
  if (child_.endsWithin(server_.untilTerm)) return;
  child_.terminate();
  child_.endsWithin(server_.untilKill);
}

Status ProgramChannel::send(std::string_view message, Deadline /*deadline*/) {
  if (atEnd_) return gone();
  if (unsent_.size() > maxUnsentBytes)
    return {Fault::TooLarge, name_ + " does not read what it is sent"};
  unsent_.append(message) += '\n';
  flush();
  return Done{};
}

Result<std::string> ProgramChannel::receive(Deadline deadline, int stop) {
  for (;;) {
    if (std::optional<Result<std::string>> line = takeLine()) return *std::move(line);
    if (atEnd_) return gone();
    if (Status ready = wait(deadline, stop); !ready) return std::move(ready).failure();
  }
}

// Returns the next line that has arrived whole, or the fault of a line that is too long; nothing if
// neither has arrived.
std::optional<Result<std::string>> ProgramChannel::takeLine() {
  const auto tooLong = [&] {
    return Result<std::string>(Fault::TooLarge,
                               name_ + ": a line is longer than " + sizeText(maxLineBytes_));
  };
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end == std::string::npos) {
      // Erase only here, so that many short lines are not moved again and again.
      buffer_.erase(0, std::exchange(begin_, 0));
      if (skips_) buffer_.clear();
      searched_ = buffer_.size();
      if (buffer_.size() <= maxLineBytes_) return std::nullopt;
      skips_ = true;
      return tooLong();
    }
    std::string line = buffer_.substr(begin_, end - begin_);
    begin_ = searched_ = end + 1;
    if (std::exchange(skips_, false)) continue;
    if (line.size() > maxLineBytes_) return tooLong();
    return Result<std::string>(std::move(line));
  }
}

// Waits until something has happened, and handles it.
Status ProgramChannel::wait(Deadline deadline, int stop) {
  std::array<pollfd, 4> watched{{{output_.number(), POLLIN, 0},
                                 {errors_.number(), POLLIN, 0},
                                 {unsent_.empty() ? -1 : input_.number(), POLLOUT, 0},
                                 {stop, POLLIN, 0}}};
  const int ready = ::poll(watched.data(), watched.size(), timeoutUntil(deadline));
  if (ready < 0 && errno != EINTR)
    return {Fault::Internal, std::string("cannot wait: ") + std::strerror(errno)};
  if (ready > 0 && watched[3].revents != 0) return {Fault::Cancelled, "stopped"};
  if (deadline.passed()) return {Fault::ToolTimeout, "no answer in time"};
  if (ready <= 0) return Done{};
  if (watched[1].revents != 0) readErrors();
  if (watched[2].revents != 0) flush();
  if (watched[0].revents != 0) readOutput();
  return Done{};
}

// Writes what the program takes now. The end of the program is noticed when its output is read,
// because its last words may still be there.
void ProgramChannel::flush() {
  std::size_t sent = 0;
  while (sent < unsent_.size()) {
    const ssize_t done = ::write(input_.number(), unsent_.data() + sent, unsent_.size() - sent);
    if (done > 0) sent += static_cast<std::size_t>(done);
    if (done >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) sent = unsent_.size();
    break;
  }
  unsent_.erase(0, sent);
}

void ProgramChannel::readOutput() {
  std::array<char, readAtOnce> bytes;
  const ssize_t got = ::read(output_.number(), bytes.data(), bytes.size());
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) atEnd_ = true;
  if (got <= 0) return;
  buffer_.append(bytes.data(), static_cast<std::size_t>(got));
  if (server_.onBytes) server_.onBytes(static_cast<std::size_t>(got));
}

void ProgramChannel::readErrors() {
  std::array<char, readAtOnce> bytes;
  const ssize_t got = ::read(errors_.number(), bytes.data(), bytes.size());
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) errors_.reset();
  if (got <= 0) return;
  std::string_view rest(bytes.data(), static_cast<std::size_t>(got));
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('\n'));
    const std::size_t room = maxErrorLineBytes - std::min(maxErrorLineBytes, errorLine_.size());
    errorLine_.append(part.substr(0, room));
    rest.remove_prefix(part.size());
    if (rest.empty()) break;
    rest.remove_prefix(1);
    if (!errorLine_.empty()) server_.onErrorLine(errorLine_);
    errorLine_.clear();
  }
  if (server_.onBytes) server_.onBytes(static_cast<std::size_t>(got));
}

Failure ProgramChannel::gone() {
  const bool hasEnded = child_.endsWithin(patienceWithEnd);
  for (int reads = 0; errors_ && reads < maxLastReads; ++reads) { // its last words
    pollfd watched{errors_.number(), POLLIN, 0};
    if (::poll(&watched, 1, 0) <= 0) break;
    readErrors();
  }
  if (!errorLine_.empty() && server_.onErrorLine)
    server_.onErrorLine(std::exchange(errorLine_, {}));
  return {Fault::Unavailable,
          name_ + ' ' + (hasEnded ? howItEnded(child_.reap()) : "closed its output")};
}

} // namespace skillhost
