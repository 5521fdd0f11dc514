// SPDX-License-Identifier: Apache-2.0
// The loop is level-triggered, and a descriptor stays armed. A connection that is read, answered
// and read again therefore costs no calls besides these. Asio arms a descriptor again each time.
#include "event_loop.hpp"

#include "base/log.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <system_error>
#include <utility>
#include <vector>

namespace skillhost::http {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t reading = EPOLLIN, writing = EPOLLOUT;
constexpr std::uint32_t broken = EPOLLERR | EPOLLHUP; // always reported by the kernel

void attend(Watched &who, void (Watched::*call)()) noexcept {
  try {
    (who.*call)();
  } catch (const std::exception &why) {
    who.failed(why);
  }
}

} // namespace

struct EventLoop::Inner {
  Inner() : epoll(::epoll_create1(EPOLL_CLOEXEC)) {
    if (!epoll) throw std::system_error(errno, std::generic_category(), "epoll");
  }
  void serve(epoll_event &event);
  std::chrono::milliseconds untilTick() const;

  const Descriptor epoll;
  std::array<epoll_event, 64> events{}; // the current round; null for a destroyed watch
  // These are released after the round, because an object that drops its watch may be held by that
  // watch alone. The capacity always suffices for every watch, since a destructor must not
  // allocate.
  std::vector<std::shared_ptr<Watched>> released;
  std::size_t watches = 0;
  std::function<void()> tick;
  std::chrono::milliseconds span{};
  Clock::time_point next = Clock::time_point::max();
  std::unique_ptr<Watch> letters;
};

struct EventLoop::Watch::Inner {
  Inner(EventLoop::Inner &of, int which) : loop(of), descriptor(which) {
    const std::size_t room = loop.released.size() + 3 * (loop.watches + 1);
    if (room > loop.released.capacity()) loop.released.reserve(2 * room);
    if (!tell(EPOLL_CTL_ADD)) throw std::system_error(errno, std::generic_category(), "epoll");
    ++loop.watches;
  }
  ~Inner() {
    --loop.watches;
    if (known) tell(EPOLL_CTL_DEL);
    for (epoll_event &event : loop.events)
      if (event.data.ptr == this) event.data.ptr = nullptr;
    for (std::shared_ptr<Watched> *who : {&reader, &writer, &endWatcher})
      if (*who) loop.released.push_back(std::move(*who));
  }
  Inner(const Inner &) = delete;
  Inner &operator=(const Inner &) = delete;

  bool tell(int operation) {
    epoll_event event{armed, {.ptr = this}};
    return ::epoll_ctl(loop.epoll.number(), operation, descriptor, &event) == 0;
  }
  // If the kernel has no room for the descriptor, the deadline of its owner ends the wait.
  void arm(std::uint32_t what) {
    if (known && (armed & what) != 0) return;
    armed |= what;
    known = tell(known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD);
  }
  // Nobody waits for this event, and the kernel would report it again at once.
  void disarm(std::uint32_t reported) {
    armed = (reader ? reading : 0) | (writer ? writing : 0);
    if (armed == 0 && (reported & broken) != 0)
      known = !tell(EPOLL_CTL_DEL);
    else
      tell(EPOLL_CTL_MOD);
  }

  EventLoop::Inner &loop;
  const int descriptor;
  std::uint32_t armed = reading;
  bool known = true; // registered with the kernel
  std::shared_ptr<Watched> reader, writer, endWatcher;
};

void EventLoop::Inner::serve(epoll_event &event) {
  auto *const watch = static_cast<Watch::Inner *>(event.data.ptr);
  if (watch == nullptr) return;
  bool awaited = false;
  if ((event.events & (reading | broken)) != 0 && watch->reader) {
    awaited = true;
    attend(*std::exchange(watch->reader, nullptr), &Watched::readable);
  }
  if (event.data.ptr == nullptr) return; // the call above destroyed the watch
  if ((event.events & (writing | broken)) != 0 && watch->writer) {
    awaited = true;
    attend(*std::exchange(watch->writer, nullptr), &Watched::writable);
  }
  if (event.data.ptr == nullptr) return;
  if ((event.events & broken) != 0 && watch->endWatcher) {
    awaited = true;
    attend(*std::exchange(watch->endWatcher, nullptr), &Watched::onHangUp);
  }
  if (!awaited) watch->disarm(event.events);
}

// Rounds up, because a wait that ends too early would make the loop spin.
std::chrono::milliseconds EventLoop::Inner::untilTick() const {
  if (next == Clock::time_point::max()) return std::chrono::milliseconds(-1);
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()));
}

EventLoop::Watch::Watch(EventLoop &loop, int descriptor)
    : inner_(std::make_unique<Inner>(*loop.inner_, descriptor)) {}
EventLoop::Watch::~Watch() = default;

void EventLoop::Watch::awaitReadable(std::shared_ptr<Watched> who) {
  inner_->reader = std::move(who);
  inner_->arm(reading);
}

void EventLoop::Watch::awaitWritable(std::shared_ptr<Watched> who) {
  inner_->writer = std::move(who);
  inner_->arm(writing);
}

void EventLoop::Watch::awaitHangUp(std::shared_ptr<Watched> who) {
  inner_->endWatcher = std::move(who);
  inner_->arm(0); // the kernel reports hang-ups without being asked
}

namespace {

class WakeupHandler final : public Watched, public std::enable_shared_from_this<WakeupHandler> {
public:
  WakeupHandler(Mailbox &mailbox, EventLoop::Watch &watch) : mailbox_(mailbox), watch_(watch) {}
  void readable() override {
    watch_.awaitReadable(shared_from_this());
    mailbox_.open();
  }
  void failed(const std::exception &) noexcept override {} // neither function above throws

private:
  Mailbox &mailbox_;
  EventLoop::Watch &watch_;
};

} // namespace

EventLoop::EventLoop() : mailbox_(std::make_shared<Mailbox>()), inner_(std::make_unique<Inner>()) {
  inner_->letters = std::make_unique<Watch>(*this, mailbox_->descriptor());
  inner_->letters->awaitReadable(std::make_shared<WakeupHandler>(*mailbox_, *inner_->letters));
}

EventLoop::~EventLoop() {
  mailbox_->close();
  inner_->letters.reset();
}

void EventLoop::every(std::chrono::milliseconds span, std::function<void()> tick) {
  inner_->tick = std::move(tick);
  inner_->span = span;
  inner_->next = Clock::now() + span;
}

void EventLoop::run(const std::function<bool()> &done) {
  Inner &inner = *inner_;
  mailbox_->enter();
  while (!done()) {
    const int came = ::epoll_wait(inner.epoll.number(), inner.events.data(),
                                  static_cast<int>(inner.events.size()),
                                  static_cast<int>(inner.untilTick().count()));
    // Everything that is ready now shares one write to the log.
    log::hold();
    for (int i = 0; i < came && !done(); ++i)
      inner.serve(inner.events[static_cast<std::size_t>(i)]);
    for (epoll_event &event : inner.events) event.data.ptr = nullptr;
    if (!done() && Clock::now() >= inner.next) {
      try {
        inner.tick();
      } catch (const std::exception &why) {
        log::failure("http", {"not all deadlines were looked at"}, why);
      }
      inner.next = Clock::now() + inner.span;
    }
    inner.released.clear();
    log::release();
  }
  mailbox_->leave();
}

} // namespace skillhost::http
