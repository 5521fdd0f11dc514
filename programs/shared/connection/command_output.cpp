// SPDX-License-Identifier: Apache-2.0
#include "command_output.hpp"

#include "ground/child_process.hpp"
#include "ground/readiness.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace skillhost {
namespace {

constexpr std::size_t maxOutputBytes = 1U << 20U;

// Reads until the end of the output, or fails with the reason.
Status readAll(int from, int stop, Deadline deadline, std::string &out) {
  for (;;) {
    Status ready = awaitReadiness({from, Direction::In}, stop, deadline);
    if (!ready) return ready;
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno != EINTR) return {Fault::Unavailable, std::strerror(errno)};
    if (got == 0) return Done{};
    if (got > 0) out.append(buffer.data(), static_cast<std::size_t>(got));
    if (out.size() > maxOutputBytes) return {Fault::TooLarge, "printed more than 1 MiB"};
  }
}

std::string inWords(const Failure &wrong, std::chrono::milliseconds span) {
  switch (wrong.fault) {
  case Fault::Cancelled:
    return "was stopped";
  case Fault::ToolTimeout:
    return "has not ended within " + std::to_string(span.count()) + " ms";
  default:
    return wrong.message;
  }
}

} // namespace

Result<std::string> commandOutput(const std::string &command, std::chrono::milliseconds span,
                                  int stop) {
  const Deadline deadline = Deadline::after(span);
  Result<Pipe> pipe = Pipe::open();
  if (!pipe) return pipe.failure();
  Result<ChildProcess> child =
      ChildProcess::start({{"/bin/sh", "-c", command}, {-1, pipe->write.number()}, {}});
  pipe->write.reset();
  if (!child) return {Fault::Unavailable, "cannot run: " + child.failure().message};
  std::string out;
  Status read = readAll(pipe->read.number(), stop, deadline, out);
  // A command may close its output and run on, so wait for its end, too. Where the kernel offers no
  // descriptor for that end, reap() below waits for it without a limit.
  if (read && child->ended() >= 0)
    read = awaitReadiness({child->ended(), Direction::In}, stop, deadline);
  if (!read) return {Fault::Unavailable, inWords(read.failure(), span)};
  // Leave its background processes alone: the command may have started an agent that holds its
  // keys.
  const int status = child->reap(ChildProcess::Group::Stays);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return {Fault::Unavailable, howItEnded(status)};
  return out;
}

} // namespace skillhost
