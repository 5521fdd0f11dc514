// SPDX-License-Identifier: Apache-2.0
#include "command_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
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

// Reads until the end; what is wrong when that does not come.
std::optional<std::string> readAll(int from, int stop, std::chrono::milliseconds span,
                                   std::string &out) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point last = Clock::now() + span;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(last - Clock::now()).count();
    if (left <= 0) return "has not ended within " + std::to_string(span.count()) + " ms";
    std::array<pollfd, 2> watched{{{from, POLLIN, 0}, {stop, POLLIN, 0}}};
    if (::poll(watched.data(), watched.size(), static_cast<int>(left)) < 0 && errno != EINTR)
      return std::strerror(errno);
    if (watched[1].revents != 0) return "was stopped";
    if (watched[0].revents == 0) continue;
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno != EINTR) return std::strerror(errno);
    if (got == 0) return std::nullopt;
    if (got > 0) out.append(buffer.data(), static_cast<std::size_t>(got));
    if (out.size() > mostOutput) return "printed more than 1 MiB";
  }
}

} // namespace

Result<std::string> commandOutput(const std::string &command, std::chrono::milliseconds span,
                                  int stop) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return {Fault::Unavailable, std::string("no pipe: ") + std::strerror(errno)};
  const Result<pid_t> child = start(command, ends[1]);
  ::close(ends[1]);
  std::string out;
  std::optional<std::string> wrong;
  int status = 0;
  if (child) {
    wrong = readAll(ends[0], stop, span, out);
    if (wrong) ::kill(-*child, SIGKILL);
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
