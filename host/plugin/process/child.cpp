// SPDX-License-Identifier: Apache-2.0
#include "process/child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <system_error>

namespace skillhost::process {
namespace {

// Above every number that a child is lent something under, so that none is overwritten.
constexpr int aside = 64;

constexpr std::array<std::string_view, 22> harmless{"HOME",
                                                    "LANG",
                                                    "LANGUAGE",
                                                    "LD_LIBRARY_PATH",
                                                    "LOGNAME",
                                                    "NO_PROXY",
                                                    "PATH",
                                                    "TMPDIR",
                                                    "TZ",
                                                    "USER",
                                                    "no_proxy",
                                                    "SSL_CERT_DIR",
                                                    "SSL_CERT_FILE",
                                                    "HTTP_PROXY",
                                                    "HTTPS_PROXY",
                                                    "ALL_PROXY",
                                                    "http_proxy",
                                                    "https_proxy",
                                                    "all_proxy",
                                                    "ASAN_OPTIONS",
                                                    "TSAN_OPTIONS",
                                                    "UBSAN_OPTIONS"};

std::vector<char *> harmlessEnvironment() {
  std::vector<char *> kept;
  for (char **entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (name.substr(0, 3) == "LC_" ||
        std::find(harmless.begin(), harmless.end(), name) != harmless.end())
      kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

class SpawnPlan {
public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    // What the host ignores or blocks is none of the child's; its group lets all of it be ended.
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan &) = delete;
  SpawnPlan &operator=(const SpawnPlan &) = delete;

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

std::string how(int status) {
  if (WIFEXITED(status)) return "exited with code " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const char *name = ::sigabbrev_np(signal);
  return "ended by signal " + std::to_string(signal) +
         (name != nullptr ? std::string(" (SIG") + name + ")" : "");
}

} // namespace

std::pair<Descriptor, Descriptor> socketPair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Result<Child> Child::start(const std::string &program, const std::vector<std::string> &arguments,
                           const std::vector<int> &lent) {
  SpawnPlan plan;
  posix_spawn_file_actions_addopen(&plan.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&plan.actions, STDERR_FILENO, STDOUT_FILENO);
  std::vector<Descriptor> kept;
  for (const int one : lent) {
    kept.emplace_back(::fcntl(one, F_DUPFD_CLOEXEC, aside));
    if (!kept.back())
      return {Fault::Unavailable,
              "no descriptor for a process: " + std::generic_category().message(errno)};
    posix_spawn_file_actions_adddup2(&plan.actions, kept.back().number(),
                                     static_cast<int>(kept.size()) + STDERR_FILENO);
  }
  std::vector<std::string> texts{program};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char *> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string &text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  pid_t number = 0;
  const int error = ::posix_spawn(&number, program.c_str(), &plan.actions, &plan.attributes,
                                  pointers.data(), harmlessEnvironment().data());
  if (error != 0)
    return {Fault::Unavailable,
            "cannot start " + program + ": " + std::generic_category().message(error)};
  return Child(number);
}

Child::Child(pid_t number)
    : number_(number), ended_(static_cast<int>(::syscall(SYS_pidfd_open, number, 0))) {}

Child::Child(Child &&other) noexcept
    : number_(other.number_), ended_(std::move(other.ended_)),
      reaped_(std::exchange(other.reaped_, true)) {}

Child::~Child() {
  if (reaped_) return;
  kill();
  reap();
}

void Child::kill() noexcept {
  const std::scoped_lock lock(mutex_);
  if (reaped_) return;
  ::kill(number_, SIGKILL);
  ::kill(-number_, SIGKILL);
}

std::string Child::reap() {
  // Waits without the lock, so that it can be killed meanwhile, and without reaping it, so that
  // its number stays its own.
  siginfo_t seen{};
  while (::waitid(P_PID, static_cast<id_t>(number_), &seen, WEXITED | WNOWAIT) != 0 &&
         errno == EINTR) {}
  const std::scoped_lock lock(mutex_);
  ::kill(-number_, SIGKILL); // what it has left behind
  int status = 0;
  while (::waitpid(number_, &status, 0) < 0 && errno == EINTR) {}
  reaped_ = true;
  return how(status);
}

} // namespace skillhost::process
