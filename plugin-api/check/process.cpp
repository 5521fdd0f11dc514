// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "process_state.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace skillhost::check {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kept = 65'536;

Pipe openPipe() {
  Result<Pipe> opened = Pipe::open();
  if (!opened) throw std::runtime_error(opened.failure().message);
  // Only the reading end is non-blocking, because writes of the process must not fail with EAGAIN.
  ::fcntl(opened->read.number(), F_SETFL, O_NONBLOCK);
  return *std::move(opened);
}

// Appends the available bytes. Returns false at the end.
bool drain(const Pipe &pipe, std::string &text) {
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(pipe.read.number(), buffer.data(), buffer.size());
    if (count <= 0) return count < 0 && (errno == EAGAIN || errno == EINTR);
    const std::size_t room = kept - text.size();
    text.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
    // A flood of output must not keep this loop from checking the clock.
    if (text.size() == kept) return true;
  }
}

} // namespace

Ended runProcess(const std::vector<std::string> &command, const std::vector<int> &inherited,
                 std::chrono::milliseconds limit, Streams streams,
                 Program::Environment environment) {
  // LeakSanitizer starts a process of its own, which a confined process may not do.
  if (const char *const options = std::getenv("ASAN_OPTIONS");
      environment != Program::Environment::Ours && freedMemoryIsKept() &&
      (options == nullptr || std::strstr(options, "detect_leaks=0") == nullptr))
    ::setenv("ASAN_OPTIONS",
             (options == nullptr ? std::string() : options + std::string(":"))
                 .append("detect_leaks=0")
                 .c_str(),
             1);
  Pipe output = openPipe(), error = openPipe();
  const bool capture = streams == Streams::Capture;
  Program program{command,
                  {-1, capture ? output.write.number() : STDERR_FILENO,
                   capture ? error.write.number() : STDERR_FILENO},
                  environment};
  program.descriptors.insert(program.descriptors.end(), inherited.begin(), inherited.end());
  const Clock::time_point begun = Clock::now();
  Result<ChildProcess> started = ChildProcess::start(program);
  if (!started) throw std::runtime_error(started.failure().message);
  ChildProcess &child = *started;
  output.write.reset();
  error.write.reset();
  Ended ended;
  std::array<pollfd, 3> watched{{{child.ended(), POLLIN, 0},
                                 {output.read.number(), POLLIN, 0},
                                 {error.read.number(), POLLIN, 0}}};
  while (watched[0].revents == 0) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(begun + limit - Clock::now()).count();
    if (left <= 0) {
      ended.timedOut = true;
      break;
    }
    if (::poll(watched.data(), watched.size(), static_cast<int>(left)) < 0 && errno != EINTR) break;
    if (watched[1].revents != 0 && !drain(output, ended.output)) watched[1].fd = -1;
    if (watched[2].revents != 0 && !drain(error, ended.error)) watched[2].fd = -1;
  }
  child.kill();
  ended.status = child.reap();
  drain(output, ended.output);
  drain(error, ended.error);
  ended.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun);
  return ended;
}

std::string signalName(int number) {
  const char *const name = ::sigabbrev_np(number);
  return name == nullptr ? "signal " + std::to_string(number) : std::string("SIG") + name;
}

} // namespace skillhost::check
