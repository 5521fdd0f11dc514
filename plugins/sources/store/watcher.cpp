// SPDX-License-Identifier: Apache-2.0
#include "watcher.hpp"

#include "store/lock.hpp"

#include <skillhost/plugin.hpp>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>

namespace skillhost::store_source {
namespace {

// A writer makes several changes to the folder, which count as one.
constexpr std::chrono::milliseconds quiet{20};
// IN_ATTRIB is included because writers set the time of the lock file when they are done.
constexpr std::uint32_t interest =
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;

std::string timesOf(const std::string &path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return "none";
  const auto text = [](const timespec &time) {
    return ' ' + std::to_string(time.tv_sec) + '.' + std::to_string(time.tv_nsec);
  };
  return std::to_string(status.st_ino) + text(status.st_mtim) + text(status.st_ctim);
}

} // namespace

Watcher::Watcher(std::string directory, std::chrono::milliseconds interval,
                 std::function<void()> noticed)
    : directory_(std::move(directory)), interval_(interval), noticed_(std::move(noticed)),
      inotify_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)),
      ending_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!ending_)
    throw skh::Error(SKH_UNAVAILABLE, std::string("cannot watch: ") + std::strerror(errno));
  thread_ = std::thread([this] { run(); });
}

Watcher::~Watcher() {
  const std::uint64_t one = 1;
  // This only fails if the counter is full, and then the thread ends anyway.
  [[maybe_unused]] const ssize_t written = ::write(ending_.number(), &one, sizeof one);
  thread_.join();
}

void Watcher::run() {
  // Differs from every state, so changes before the first watch are reported once.
  std::string known;
  while (true) {
    // Repeated each time, because the folder may have appeared or been replaced.
    if (inotify_) ::inotify_add_watch(inotify_.number(), directory_.c_str(), interest);
    try {
      if (std::string now = state(); now != known) {
        noticed_();
        known = std::move(now);
      }
    } catch (const std::exception &) {
      // Memory is short. The next round looks again.
    }
    Woken woken = wait(interval_);
    while (woken == Woken::ByEvent) woken = wait(quiet);
    if (woken == Woken::ToEnd) return;
  }
}

Watcher::Woken Watcher::wait(std::chrono::milliseconds time) {
  std::array<pollfd, 2> waiting = {
      {{ending_.number(), POLLIN, 0}, {inotify_.number(), POLLIN, 0}}}; // -1 is ignored
  const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(time.count()));
  if (waiting[0].revents != 0) return Woken::ToEnd;
  if (ready <= 0) return Woken::ByTime;
  // The content does not matter, only that there are events.
  alignas(inotify_event) std::array<char, 4'096> events;
  while (::read(inotify_.number(), events.data(), events.size()) > 0) {}
  return Woken::ByEvent;
}

std::string Watcher::state() const {
  return timesOf(directory_) + ' ' + timesOf(directory_ + '/' + store::lockName);
}

} // namespace skillhost::store_source
