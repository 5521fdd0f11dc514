// SPDX-License-Identifier: Apache-2.0
#include "piped_program.hpp"

#include "start_failure.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace skillhost::remote {
namespace {

constexpr std::size_t maxStderrBytes = 2'000;
// Reads of error output between two checkpoints.
constexpr int maxReads = 64;

Pipe openPipe() {
  Result<Pipe> pipe = Pipe::open();
  if (!pipe) throw skh::Error(SKH_UNAVAILABLE, pipe.failure().message);
  return std::move(*pipe);
}

// Makes our end of a pipe non-blocking.
Descriptor withoutWaiting(Descriptor end) {
  ::fcntl(end.number(), F_SETFL, O_NONBLOCK);
  return end;
}

} // namespace

PipedProgram::PipedProgram(const std::vector<std::string> &words) {
  Pipe input = openPipe(), output = openPipe(), errors = openPipe();
  Result<ChildProcess> started = ChildProcess::start(
      {words, {input.read.number(), output.write.number(), errors.write.number()}});
  if (!started) throw skh::Error(SKH_UNAVAILABLE, whyNotStarted(started.failure().message));
  process_.emplace(std::move(*started));
  input_ = withoutWaiting(std::move(input.write));
  output_ = withoutWaiting(std::move(output.read));
  errors_ = withoutWaiting(std::move(errors.read));
}

// Reads the program's error output, so that the program never blocks on it for long. A program that
// never stops writing cannot keep this function from returning.
void PipedProgram::listen() {
  std::array<char, 512> part{};
  for (int reads = 0; reads < maxReads; ++reads) {
    const ssize_t size = ::read(errors_.number(), part.data(), part.size());
    if (size == 0) return errors_.reset();
    if (size < 0) return;
    const std::size_t room = maxStderrBytes - std::min(maxStderrBytes, complaints_.size());
    complaints_.append(part.data(), std::min(room, static_cast<std::size_t>(size)));
  }
}

void PipedProgram::await(const Operation &operation, const Descriptor &file, short events) {
  operation.checkpoint();
  std::array<pollfd, 2> watched{{{file.number(), events, 0}, {errors_.number(), POLLIN, 0}}};
  ::poll(watched.data(), watched.size(), operation.waitSliceMs());
  if (watched[1].revents != 0) listen();
}

std::size_t PipedProgram::read(const Operation &operation, char *into, std::size_t maxBytes) {
  for (;;) {
    const ssize_t size = ::read(output_.number(), into, maxBytes);
    if (size > 0) return static_cast<std::size_t>(size);
    if (size == 0) {
      if (errors_) listen();
      return 0;
    }
    if (errno != EAGAIN && errno != EINTR) return 0;
    await(operation, output_, POLLIN);
  }
}

void PipedProgram::write(const Operation &operation, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::write(input_.number(), bytes.data(), bytes.size());
    if (size >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(size));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) {
      if (errors_) listen();
      throw skh::Error(SKH_UNAVAILABLE, std::strerror(errno));
    }
    await(operation, input_, POLLOUT);
  }
}

int PipedProgram::end(const Operation &operation) {
  // Without a descriptor for the end, as before Linux 5.3, reap() waits without a limit.
  while (process_->ended() >= 0) {
    operation.checkpoint();
    if (errors_) listen();
    if (process_->endsWithin(std::chrono::milliseconds(operation.waitSliceMs()))) break;
  }
  return process_->reap();
}

} // namespace skillhost::remote
