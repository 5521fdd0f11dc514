// SPDX-License-Identifier: Apache-2.0
#include "command_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

namespace skillhost {
namespace {

constexpr std::size_t mostOutput = 1U << 20U;

// Starts it as the leader of a process group; its output goes to `output`.
Result<pid_t> start(const std::string &command, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  posix_spawnattr_setsigmask(&attributes, &usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::array<std::string, 3> words{"sh", "-c", command};
  std::array<char *, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {Fault::Unavailable, std::string("cannot run: ") + std::strerror(error)};
  return child;
}

struct Patience {
  using Clock = std::chrono::steady_clock;
  Patience(std::chrono::milliseconds theSpan, int theStop)
      : last(Clock::now() + theSpan), span(theSpan), stop(theStop) {}

  const Clock::time_point last;
  const std::chrono::milliseconds span;
  const int stop;
};

// Waits until `from` can be read; what is wrong when that does not come.
std::optional<std::string> waitFor(int from, const Patience &patience) {
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(patience.last - Patience::Clock::now())
            .count();
    if (left <= 0) return "has not ended within " + std::to_string(patience.span.count()) + " ms";
    std::array<pollfd, 2> watched{{{from, POLLIN, 0}, {patience.stop, POLLIN, 0}}};
    if (::poll(watched.data(), watched.size(), static_cast<int>(left)) < 0) {
      if (errno != EINTR) return std::strerror(errno);
      continue;
    }
    if (watched[1].revents != 0) return "was stopped";
    if (watched[0].revents != 0) return std::nullopt;
  }
}

// Reads until the end; what is wrong when that does not come.
std::optional<std::string> readAll(int from, const Patience &patience, std::string &out) {
  for (;;) {
    if (auto wrong = waitFor(from, patience)) return wrong;
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno != EINTR) return std::strerror(errno);
    if (got == 0) return std::nullopt;
    if (got > 0) out.append(buffer.data(), static_cast<std::size_t>(got));
    if (out.size() > mostOutput) return "printed more than 1 MiB";
  }
}

// The end of its output is not the end of a command that closed it and runs on.
std::optional<std::string> awaitEnd(pid_t child, const Patience &patience) {
  const int ended = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  // A kernel before Linux 5.3, or a sandbox that does not know the call: what was printed is good,
  // so the end is waited for without a limit.
  if (ended < 0 && (errno == ENOSYS || errno == EPERM)) return std::nullopt;
  if (ended < 0) return std::string("cannot be waited for: ") + std::strerror(errno);
  auto wrong = waitFor(ended, patience);
  ::close(ended);
  return wrong;
}

} // namespace

Result<std::string> commandOutput(const std::string &command, std::chrono::milliseconds span,
                                  int stop) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return {Fault::Unavailable, std::string("no pipe: ") + std::strerror(errno)};
  const Patience patience(span, stop);
  const Result<pid_t> child = start(command, ends[1]);
  ::close(ends[1]);
  std::string out;
  std::optional<std::string> wrong;
  int status = 0;
  if (child) {
    wrong = readAll(ends[0], patience, out);
    if (!wrong) wrong = awaitEnd(*child, patience);
    if (wrong) ::kill(-*child, SIGKILL); // not reaped yet, so the group is still its own
    while (::waitpid(*child, &status, 0) < 0 && errno == EINTR) {}
  }
  ::close(ends[0]);
  if (!child) return child.failure();
  if (wrong) return {Fault::Unavailable, *wrong};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return {Fault::Unavailable, WIFEXITED(status)
                                    ? "ended with exit code " + std::to_string(WEXITSTATUS(status))
                                    : "was ended by signal " + std::to_string(WTERMSIG(status))};
  return out;
}

} // namespace skillhost
