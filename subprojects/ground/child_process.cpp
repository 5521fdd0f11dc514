// SPDX-License-Identifier: Apache-2.0
#include "ground/child_process.hpp"

#include "ground/readiness.hpp"

#include <fcntl.h>
#include <spawn.h>
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
#include <utility>

namespace skillhost {
namespace {

constexpr std::array<std::string_view, 17> harmless{
    "HOME",         "LANG",         "LANGUAGE",     "LD_LIBRARY_PATH", "LD_PRELOAD",
    "LOGNAME",      "PATH",         "NO_PROXY",     "TMPDIR",          "TZ",
    "USER",         "no_proxy",     "SSL_CERT_DIR", "SSL_CERT_FILE",   "ASAN_OPTIONS",
    "TSAN_OPTIONS", "UBSAN_OPTIONS"};
constexpr std::array<std::string_view, 6> proxyVariables{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY",
                                                         "http_proxy", "https_proxy", "all_proxy"};

bool among(std::string_view name, const auto &names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view nameOf(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

bool hasOwn(const Program &program, std::string_view name) {
  return std::any_of(program.variables.begin(), program.variables.end(),
                     [&](const std::string &variable) { return nameOf(variable) == name; });
}

std::vector<std::string> environmentOf(const Program &program) {
  std::vector<std::string> kept = program.variables;
  for (char **entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = nameOf(text);
    if (hasOwn(program, name)) continue;
    const bool whole = program.environment == Program::Environment::Ours ||
                       name.substr(0, 3) == "LC_" || among(name, harmless);
    if (whole)
      kept.emplace_back(text);
    else if (among(name, proxyVariables) && name.size() < text.size())
      kept.push_back(std::string(name) + "=" + withoutUser(text.substr(name.size() + 1)));
  }
  return kept;
}

// Returns an array that ends with a null pointer, as the kernel expects.
std::vector<char *> pointersTo(std::vector<std::string> &words) {
  std::vector<char *> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string &word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

class SpawnPlan {
public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    // The child inherits no ignored or blocked signals. Its own process group lets us
    // end everything in it.
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

  // Returns zero or the error.
  int enter(const std::string &folder) {
    return folder.empty() ? 0 : posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  }

  // Returns false if there is no descriptor left.
  bool give(const std::vector<int> &descriptors) {
    for (std::size_t i = 0; i < descriptors.size(); ++i) {
      const int number = static_cast<int>(i);
      if (descriptors[i] < 0) {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDONLY, 0);
        continue;
      }
      // The copies get numbers above all target numbers, so that none is overwritten before its
      // turn.
      kept_.emplace_back(
          ::fcntl(descriptors[i], F_DUPFD_CLOEXEC, static_cast<int>(descriptors.size())));
      if (!kept_.back()) return false;
      posix_spawn_file_actions_adddup2(&actions, kept_.back().number(), number);
    }
    return true;
  }

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};

private:
  std::vector<Descriptor> kept_;
};

} // namespace

std::string withoutUser(std::string_view address) {
  const std::size_t scheme = address.find("://");
  const std::size_t begin = scheme == std::string_view::npos ? 0 : scheme + 3;
  // Search for the last one, because a password may contain others, and even a slash.
  const std::size_t at = address.rfind('@');
  if (at == std::string_view::npos || at < begin) return std::string(address);
  return std::string(address.substr(0, begin)) + std::string(address.substr(at + 1));
}

Result<ChildProcess> ChildProcess::start(const Program &program) {
  SpawnPlan plan;
  std::vector<std::string> words = program.words, variables = environmentOf(program);
  std::vector<char *> arguments = pointersTo(words), environment = pointersTo(variables);
  pid_t number = 0;
  // Check the folder first, because posix_spawnp() reports ENOENT for a missing folder as for a
  // missing program.
  const std::string &folder = program.workingDirectory;
  if (!folder.empty() && ::access(folder.c_str(), X_OK) != 0)
    return {Fault::Unavailable, program.words.front() + " cannot be started in " + folder + ": " +
                                    std::generic_category().message(errno)};
  int error = plan.enter(folder);
  if (error == 0)
    error = plan.give(program.descriptors)
                ? ::posix_spawnp(&number, arguments.front(), &plan.actions, &plan.attributes,
                                 arguments.data(), environment.data())
                : errno;
  if (error != 0)
    return {error == ENOENT ? Fault::NotFound : Fault::Unavailable,
            program.words.front() +
                " cannot be started: " + std::generic_category().message(error)};
  ChildProcess child(number);
  // A kernel before Linux 5.3, or a sandbox without this call, cannot provide the descriptor.
  if (!child.ended_ && errno != ENOSYS && errno != EPERM)
    return {Fault::Unavailable, program.words.front() + " cannot be waited for: " +
                                    std::generic_category().message(errno)};
  return child;
}

ChildProcess::ChildProcess(pid_t number)
    : number_(number), ended_(static_cast<int>(::syscall(SYS_pidfd_open, number, 0))) {}

ChildProcess::ChildProcess(ChildProcess &&other) noexcept
    : number_(other.number_), ended_(std::move(other.ended_)),
      reaped_(std::exchange(other.reaped_, true)), status_(other.status_) {}

ChildProcess::~ChildProcess() {
  if (reaped_) return;
  kill();
  reap();
}

bool ChildProcess::endsWithin(std::chrono::milliseconds patience) const {
  const AwaitedDescriptor end{ended_.number(), Direction::In};
  return bool(awaitReadiness(end, -1, Deadline::after(patience)));
}

void ChildProcess::terminate() noexcept {
  if (!reaped_) ::kill(-number_, SIGTERM);
}

void ChildProcess::kill() noexcept {
  const std::scoped_lock lock(mutex_);
  if (reaped_) return;
  ::kill(number_, SIGKILL); // it may have left its group
  ::kill(-number_, SIGKILL);
}

int ChildProcess::reap(Group group) {
  if (reaped_) return status_;
  // Waits without the lock, so that kill() works meanwhile, and without reaping, so that the
  // process number stays valid.
  siginfo_t seen{};
  while (::waitid(P_PID, static_cast<id_t>(number_), &seen, WEXITED | WNOWAIT) != 0 &&
         errno == EINTR) {}
  const std::scoped_lock lock(mutex_);
  if (group == Group::Dies) ::kill(-number_, SIGKILL);
  while (::waitpid(number_, &status_, 0) < 0 && errno == EINTR) {}
  reaped_ = true;
  return status_;
}

std::string howItEnded(int status) {
  if (WIFEXITED(status)) return "ended with exit code " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const char *name = ::sigabbrev_np(signal);
  return "was ended by signal " + std::to_string(signal) +
         (name != nullptr ? std::string(" (SIG") + name + ")" : "");
}

} // namespace skillhost
