// SPDX-License-Identifier: Apache-2.0
#include "child_process.hpp"

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
#include <utility>

namespace skillhost {
namespace {

constexpr std::chrono::milliseconds untilTerm{1'000}, untilKill{2'000};

void closeIfOpen(int &descriptor) noexcept {
  if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

// Both ends close when a program is started; what it shall keep it is given by name.
Result<std::array<int, 2>> makePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return {Fault::Unavailable, std::string("no pipe: ") + std::strerror(errno)};
  return ends;
}

int spawn(std::vector<std::string> words, int input, int output, pid_t &id) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
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
  std::vector<char *> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string &word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int error =
      ::posix_spawnp(&id, arguments.front(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

} // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string> &words) {
  Result<std::array<int, 2>> in = makePipe();
  if (!in) return in.failure();
  Result<std::array<int, 2>> out = makePipe();
  if (!out) {
    for (const int end : *in) ::close(end);
    return out.failure();
  }
  pid_t id = 0;
  const int error = spawn(words, (*in)[0], (*out)[1], id);
  ::close((*in)[0]);
  ::close((*out)[1]);
  if (error != 0) {
    ::close((*in)[1]);
    ::close((*out)[0]);
    return {Fault::NotFound, words.front() + ": cannot be started: " + std::strerror(error)};
  }
  return ChildProcess(id, (*in)[1], (*out)[0]);
}

ChildProcess::ChildProcess(pid_t id, int input, int output)
    : id_(id), input_(input), output_(output),
      process_(static_cast<int>(::syscall(SYS_pidfd_open, id, 0))) {
  for (const int end : {input, output}) ::fcntl(end, F_SETFL, O_NONBLOCK);
}

ChildProcess::ChildProcess(ChildProcess &&other) noexcept
    : id_(std::exchange(other.id_, 0)), input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)), process_(std::exchange(other.process_, -1)) {}

ChildProcess::~ChildProcess() {
  closeIfOpen(input_);
  closeIfOpen(output_);
  if (id_ == 0) return;
  if (!ended(untilTerm)) {
    ::kill(-id_, SIGTERM);
    ended(untilKill);
  }
  // It is not reaped yet, so the group is still its own: nobody of it outlives it.
  ::kill(-id_, SIGKILL);
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {}
  closeIfOpen(process_);
}

// Never true on a kernel before Linux 5.3, which has no such descriptor.
bool ChildProcess::ended(std::chrono::milliseconds patience) const {
  if (process_ < 0) return false;
  const auto last = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(last - std::chrono::steady_clock::now());
    pollfd watched{process_, POLLIN, 0};
    const int ready =
        ::poll(&watched, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

std::string ChildProcess::end(std::chrono::milliseconds patience) const {
  siginfo_t state{};
  if (!ended(patience) ||
      ::waitid(P_PID, static_cast<id_t>(id_), &state, WEXITED | WNOHANG | WNOWAIT) != 0)
    return "closed its output";
  if (state.si_code == CLD_EXITED) return "ended with exit code " + std::to_string(state.si_status);
  return "was ended by signal " + std::to_string(state.si_status);
}

} // namespace skillhost
