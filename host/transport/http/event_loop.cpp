// SPDX-License-Identifier: Apache-2.0
#include "event_loop.hpp"

#include "base/log.hpp"

// One thread runs a loop, and needs no fences, of which the thread sanitizer knows nothing.
#define BOOST_ASIO_DISABLE_FENCED_BLOCK

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <utility>

namespace skillhost::http {
namespace {

namespace asio = boost::asio;
using Executor = asio::io_context::executor_type;
using Stream = asio::posix::basic_stream_descriptor<Executor>;
using Timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                         asio::wait_traits<std::chrono::steady_clock>, Executor>;

} // namespace

struct EventLoop::Inner {
  asio::io_context context{1}; // one thread runs it
  Timer timer{context};
  std::function<void()> tick;
  std::unique_ptr<Watch> letters;

  void schedule(std::chrono::milliseconds span) {
    timer.expires_after(span);
    timer.async_wait([this, span](boost::system::error_code failed) {
      if (failed) return;
      tick();
      schedule(span);
    });
  }
};

struct EventLoop::Watch::Inner {
  Inner(EventLoop &loop, int descriptor) : stream(loop.inner_->context, descriptor) {}
  ~Inner() { stream.release(); }
  Stream stream;
};

EventLoop::Watch::Watch(EventLoop &loop, int descriptor)
    : inner_(std::make_unique<Inner>(loop, descriptor)) {}

EventLoop::Watch::~Watch() = default;

void EventLoop::Watch::awaitReadable(std::shared_ptr<Watched> who) {
  inner_->stream.async_wait(Stream::wait_read,
                            [who = std::move(who)](boost::system::error_code failed) {
                              if (!failed) who->readable();
                            });
}

void EventLoop::Watch::awaitWritable(std::shared_ptr<Watched> who) {
  inner_->stream.async_wait(Stream::wait_write,
                            [who = std::move(who)](boost::system::error_code failed) {
                              if (!failed) who->writable();
                            });
}

namespace {

class Letters final : public Watched, public std::enable_shared_from_this<Letters> {
public:
  Letters(Mailbox &mailbox, EventLoop::Watch &watch) : mailbox_(mailbox), watch_(watch) {}
  void readable() override {
    watch_.awaitReadable(shared_from_this());
    mailbox_.open();
  }

private:
  Mailbox &mailbox_;
  EventLoop::Watch &watch_;
};

} // namespace

EventLoop::EventLoop() : mailbox_(std::make_shared<Mailbox>()), inner_(std::make_unique<Inner>()) {
  inner_->letters = std::make_unique<Watch>(*this, mailbox_->descriptor());
  inner_->letters->awaitReadable(std::make_shared<Letters>(*mailbox_, *inner_->letters));
}

EventLoop::~EventLoop() {
  mailbox_->close();
  inner_->letters.reset();
}

void EventLoop::every(std::chrono::milliseconds span, std::function<void()> tick) {
  inner_->tick = std::move(tick);
  inner_->schedule(span);
}

void EventLoop::run(const std::function<bool()> &done) {
  constexpr int burst = 64;
  mailbox_->enter();
  while (!done()) {
    inner_->context.run_one();
    // What is ready now is served with one write to the log.
    log::hold();
    for (int i = 0; i < burst && !done() && inner_->context.poll_one() != 0; ++i) {}
    log::release();
  }
  mailbox_->leave();
}

} // namespace skillhost::http
