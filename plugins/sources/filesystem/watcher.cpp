// SPDX-License-Identifier: Apache-2.0
#include "watcher.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>

namespace skillhost::filesystem {

Watcher::Watcher(const Settings &settings, Watches &watches, Tasks tasks)
    : watches_(watches), tasks_(std::move(tasks)), pollInterval_(settings.pollInterval),
      wakeUp_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)), debounce_(settings.debounce),
      lastLook_(std::chrono::steady_clock::now()) {
  if (!wakeUp_) {
    throw skh::Error(SKH_UNAVAILABLE, std::string("cannot watch: ") + std::strerror(errno));
  }
  thread_ = std::thread([this] { run(); });
}

Watcher::~Watcher() {
  stopping_ = true;
  wake();
  thread_.join();
}

void Watcher::wake() noexcept {
  const std::uint64_t one = 1;
  // This only fails if the counter is full, and then the thread wakes up anyway.
  [[maybe_unused]] const ssize_t written = ::write(wakeUp_.number(), &one, sizeof one);
}

void Watcher::scheduleQuiet(std::chrono::steady_clock::duration time) noexcept {
  scheduledAt_ = std::chrono::steady_clock::now() + time;
  wake();
}

void Watcher::run() {
  constexpr std::chrono::seconds pauseWithoutMemory{1};
  while (!stopping_) {
    try {
      runUntilStopped();
    } catch (const Stopped &) {
      // The destructor waits for this.
    } catch (const std::exception &) {
      scheduleQuiet(pauseWithoutMemory);
    }
  }
}

void Watcher::runUntilStopped() {
  const Checkpoint checkpoint = [this] {
    if (stopping_) throw Stopped{};
  };
  while (true) {
    wait(nextTime());
    checkpoint();
    if (watches_.descriptor() >= 0 && watches_.drain()) {
      tasks_.onChange();
      debounce_.touch(std::chrono::steady_clock::now());
    }
    if (Time dueAt = scheduledAt_; std::chrono::steady_clock::now() >= dueAt &&
                                   scheduledAt_.compare_exchange_strong(dueAt, Time::max()))
      debounce_.touch(std::chrono::steady_clock::now());
    if (!due(std::chrono::steady_clock::now())) continue;
    debounce_.clear();
    tasks_.onQuiet(checkpoint);
    lastLook_ = std::chrono::steady_clock::now();
  }
}

std::optional<Watcher::Time> Watcher::nextTime() const {
  std::optional<Time> next = debounce_.due();
  if (const Time dueAt = scheduledAt_; dueAt != Time::max())
    next = next ? std::min(*next, dueAt) : dueAt;
  if (watches_.polling()) {
    const Time nextPoll = lastLook_ + pollInterval_;
    next = next ? std::min(*next, nextPoll) : nextPoll;
  }
  return next;
}

bool Watcher::due(Time now) const {
  const std::optional<Time> next = nextTime();
  return next && now >= *next;
}

void Watcher::wait(const std::optional<Time> &until) {
  int timeout = -1;
  if (until) {
    const auto left = *until - std::chrono::steady_clock::now();
    const auto whole = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    timeout = static_cast<int>(std::clamp<std::int64_t>(whole, 0, 3'600'000));
  }
  std::array<pollfd, 2> waiting = {
      {{wakeUp_.number(), POLLIN, 0}, {watches_.descriptor(), POLLIN, 0}}}; // -1 is ignored
  ::poll(waiting.data(), waiting.size(), timeout);
  if (waiting[0].revents == 0) return;
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t drained = ::read(wakeUp_.number(), &count, sizeof count);
}

} // namespace skillhost::filesystem
