// SPDX-License-Identifier: Apache-2.0
#include "child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace skillhost::github {
namespace {

constexpr std::size_t mostComplaints = 2'000;

void closeFile(int &file) noexcept {
  if (file >= 0) ::close(file);
  file = -1;
}

// What posix_spawn(3) is told, freed at the end.
struct Orders {
  Orders() {
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t usual;
    ::sigemptyset(&none);
    ::sigfillset(&usual);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &usual);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                POSIX_SPAWN_SETPGROUP);
  }
  ~Orders() {
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
  }
  Orders(const Orders &) = delete;
  Orders &operator=(const Orders &) = delete;

  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
};

} // namespace

ChildProcess::ChildProcess(const std::vector<std::string> &arguments) {
  Orders orders;
  std::array<int, 3> theirs{-1, -1, -1};
  int error = 0;
  for (std::size_t i = 0; i < files_.size() && error == 0; ++i) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      error = errno;
      break;
    }
    files_[i] = i == 0 ? ends[1] : ends[0];
    theirs[i] = i == 0 ? ends[0] : ends[1];
    ::fcntl(files_[i], F_SETFL, O_NONBLOCK);
    error = ::posix_spawn_file_actions_adddup2(&orders.files, theirs[i], static_cast<int>(i));
  }
  if (error == 0) {
    std::vector<std::string> texts = arguments;
    std::vector<char *> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string &one : texts) pointers.push_back(one.data());
    pointers.push_back(nullptr);
    error = ::posix_spawnp(&process_, pointers.front(), &orders.files, &orders.attributes,
                           pointers.data(), environ);
  }
  for (int &file : theirs) closeFile(file);
  if (error == 0) return;
  for (int &file : files_) closeFile(file);
  throw skh::Error(SKH_UNAVAILABLE,
                   arguments.front() + " cannot be started: " + std::strerror(error));
}

ChildProcess::~ChildProcess() {
  for (int &file : files_) closeFile(file);
  ::kill(-process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
}

// Takes what it complains about, so that it never waits for somebody to listen.
void ChildProcess::listen() {
  std::array<char, 512> part{};
  for (;;) {
    const ssize_t size = ::read(files_[2], part.data(), part.size());
    if (size == 0) return closeFile(files_[2]);
    if (size < 0) return;
    const std::size_t room = mostComplaints - std::min(mostComplaints, complaints_.size());
    complaints_.append(part.data(), std::min(room, static_cast<std::size_t>(size)));
  }
}

void ChildProcess::await(const remote::Operation &operation, int file, short events) {
  operation.checkpoint();
  std::array<pollfd, 2> watched{{{file, events, 0}, {files_[2], POLLIN, 0}}};
  ::poll(watched.data(), watched.size(), operation.patience());
  if (watched[1].revents != 0) listen();
}

std::size_t ChildProcess::read(const remote::Operation &operation, char *into, std::size_t most) {
  for (;;) {
    const ssize_t size = ::read(files_[1], into, most);
    if (size > 0) return static_cast<std::size_t>(size);
    if (size == 0) {
      if (files_[2] >= 0) listen();
      return 0;
    }
    if (errno != EAGAIN && errno != EINTR) return 0;
    await(operation, files_[1], POLLIN);
  }
}

void ChildProcess::write(const remote::Operation &operation, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::write(files_[0], bytes.data(), bytes.size());
    if (size >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(size));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) {
      if (files_[2] >= 0) listen();
      throw skh::Error(SKH_UNAVAILABLE, std::strerror(errno));
    }
    await(operation, files_[0], POLLOUT);
  }
}

} // namespace skillhost::github
