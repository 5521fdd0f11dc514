// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skillhost::check {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kept = 65'536;
constexpr int aside = 64; // lent descriptors are moved past this before they get their numbers

[[noreturn]] void failChild(const char *what) {
  throw std::system_error(errno, std::generic_category(), what);
}

class Descriptor {
public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int get() const noexcept { return number_; }
  void close() noexcept {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

private:
  int number_;
};

struct Pipe {
  explicit Pipe(const std::array<int, 2> &ends) : read(ends[0]), write(ends[1]) {}
  static std::array<int, 2> open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) failChild("pipe");
    return ends;
  }
  // Appends what is there; false at its end.
  bool drain(std::string &text) const {
    std::array<char, 4096> buffer{};
    for (;;) {
      const ssize_t count = ::read(read.get(), buffer.data(), buffer.size());
      if (count <= 0) return count < 0 && (errno == EAGAIN || errno == EINTR);
      const std::size_t room = kept - text.size();
      text.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
      // A flood must not keep this loop from looking at the clock.
      if (text.size() == kept) return true;
    }
  }
  Descriptor read, write;
};

// Between fork and exec: nothing but system calls. Does not return.
[[noreturn]] void become(char *const *command, int output, int error,
                         const std::vector<int> &lent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  // First: one of them may be a standard descriptor, which is about to be another.
  for (std::size_t i = 0; i < lent.size(); ++i) ::dup2(lent[i], aside + static_cast<int>(i));
  ::dup2(output, STDOUT_FILENO);
  ::dup2(error, STDERR_FILENO);
  for (int number : {STDOUT_FILENO, STDERR_FILENO}) // a pipe's end is not to fail with EAGAIN
    if (output != error) ::fcntl(number, F_SETFL, 0);
  for (std::size_t i = 0; i < lent.size(); ++i) {
    ::dup2(aside + static_cast<int>(i), 3 + static_cast<int>(i));
    ::close(aside + static_cast<int>(i));
  }
  ::execv(command[0], command);
  ::_exit(127);
}

} // namespace

Ended runProcess(const std::vector<std::string> &command, const std::vector<int> &lent,
                 std::chrono::milliseconds limit, Streams streams) {
  std::vector<std::string> words = command;
  std::vector<char *> raw;
  raw.reserve(words.size() + 1);
  for (std::string &word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  Pipe output(Pipe::open()), error(Pipe::open());
  const bool capture = streams == Streams::Capture;
  const Clock::time_point begun = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) failChild("fork");
  if (child == 0)
    become(raw.data(), capture ? output.write.get() : STDERR_FILENO,
           capture ? error.write.get() : STDERR_FILENO, lent);
  ::setpgid(child, child); // whoever comes first
  output.write.close();
  error.write.close();
  const Descriptor end(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  Ended ended;
  std::array<pollfd, 3> watched{
      {{end.get(), POLLIN, 0}, {output.read.get(), POLLIN, 0}, {error.read.get(), POLLIN, 0}}};
  while (watched[0].revents == 0) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(begun + limit - Clock::now()).count();
    if (left <= 0) {
      ended.timedOut = true;
      break;
    }
    if (::poll(watched.data(), watched.size(), static_cast<int>(left)) < 0 && errno != EINTR) break;
    if (watched[1].revents != 0 && !output.drain(ended.output)) watched[1].fd = -1;
    if (watched[2].revents != 0 && !error.drain(ended.error)) watched[2].fd = -1;
  }
  // While it is not yet waited for, neither its number nor that of its group can be anybody else's.
  ::kill(-child, SIGKILL);
  ::kill(child, SIGKILL);
  while (::waitpid(child, &ended.status, 0) < 0 && errno == EINTR) {}
  output.drain(ended.output);
  error.drain(ended.error);
  ended.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun);
  return ended;
}

std::string signalName(int number) {
  const char *const name = ::sigabbrev_np(number);
  return name == nullptr ? "signal " + std::to_string(number) : std::string("SIG") + name;
}

} // namespace skillhost::check
