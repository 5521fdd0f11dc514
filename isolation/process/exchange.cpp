// SPDX-License-Identifier: Apache-2.0
#include "process/exchange.hpp"

#include "process/text.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace skillhost::process {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds slice{10};        // interval between checks of the call's cancelled()
constexpr milliseconds grace{120};       // time after the deadline until the process is killed
constexpr milliseconds afterStop{1'000}; // the same after a cancellation or a refusal
// Bytes of an answer that are held back, so that the call can be repeated.
constexpr std::size_t heldBack = 4U << 20U;

class Attempt {
public:
  Attempt(Session &session, FrameSocket &channel, const skh_call *call, Receiver &receiver)
      : session_(session), channel_(channel), call_(call), receiver_(receiver) {
    if (call->deadline_ns != INT64_MAX) {
      deadline_ = momentOf(call->deadline_ns);
      limit_ = deadline_ + grace;
    }
  }

  // Returns nothing if the runner was lost.
  std::optional<skh_status> run(Packer &request) {
    if (!channel_.send(request, limit_)) return lose();
    for (;;) {
      std::string_view frame;
      const auto got = channel_.receive(std::min(limit_, Clock::now() + slice), frame);
      if (got == FrameSocket::Got::Closed) return lose();
      if (got == FrameSocket::Got::TooLong) return malformed();
      if (got == FrameSocket::Got::Frame) {
        if (!frameCame(frame)) return malformed();
        if (ended_) return ended_;
      }
      if (const auto given = giveUp()) return given;
    }
  }
  bool finished() const noexcept { return ended_.has_value(); }
  bool taken() const noexcept { return taken_; }

private:
  std::optional<skh_status> lose() {
    session_.kill({});
    return std::nullopt;
  }

  std::optional<skh_status> malformed() {
    session_.kill("it answered with a malformed frame");
    say(call_, "its process sent a malformed frame and was ended");
    return SKH_FAILED;
  }

  // Returns a status if waiting for the answer must stop.
  std::optional<skh_status> giveUp() {
    const Moment now = Clock::now();
    if (now >= limit_ && cancelled_ == Moment::max()) {
      session_.kill("a call timed out");
      say(call_, "timed out; its process was ended");
      return SKH_DEADLINE;
    }
    if (refused_ != Moment::max() && now - refused_ >= afterStop) {
      session_.kill("a call ignored that its output was refused");
      say(call_, "ignored that its output was refused; its process was ended");
      return receiver_.refused;
    }
    if (cancelled_ != Moment::max() && (now >= limit_ || now - cancelled_ >= afterStop)) {
      session_.kill("a call ignored its cancellation");
      say(call_, "ignored its cancellation; its process was ended");
      return SKH_CANCELLED;
    }
    if (cancelled_ == Moment::max() && now < deadline_ && call_->cancelled(call_) != 0) {
      cancelled_ = now;
      stop(SKH_CANCELLED);
    }
    return std::nullopt;
  }

  void stop(skh_status status) {
    Packer packer;
    packer.u8(static_cast<std::uint8_t>(Operation::Cancel));
    packer.i32(status);
    channel_.send(packer, limit_);
  }

  bool frameCame(std::string_view frame) {
    Unpacker from(frame);
    const auto kind = static_cast<FrameKind>(from.u8());
    frame.remove_prefix(from.good() ? 1 : 0);
    switch (kind) {
    case FrameKind::Aside:
      return aside(from);
    case FrameKind::Part:
      if (!taken_ && held_.size() + frame.size() <= heldBack) {
        held_ += frame;
        return true;
      }
      return takeHeld() && take(frame) && !ended_;
    case FrameKind::Last:
      return takeHeld() && take(frame) && ended_;
    }
    return false;
  }

  bool aside(Unpacker &from) {
    const auto record = static_cast<Record>(from.u8());
    if (record == Record::Progress) return progress(from);
    if (!receiver_.aside) return false;
    Packer reply;
    if (!receiver_.aside(record, from, reply) || !from.good()) return false;
    if (reply.size() != 0) channel_.send(reply, limit_);
    return true;
  }

  bool progress(Unpacker &from) {
    const std::uint64_t done = from.u64(), total = from.u64();
    const std::string_view what = from.text();
    if (!from.good() || from.more()) return false;
    call_->progress(call_, done, total, lend(what));
    return true;
  }

  bool takeHeld() {
    if (held_.empty()) return true;
    const std::string held = std::exchange(held_, {});
    return take(held) && !ended_;
  }

  bool take(std::string_view records) {
    taken_ = true;
    Unpacker from(records);
    while (from.more() && !ended_) {
      const auto record = static_cast<Record>(from.u8());
      if (record == Record::End) {
        const skh_status status = from.i32();
        const std::string_view why = from.text();
        if (!from.good() || from.more()) return false;
        if (status != SKH_OK && !why.empty()) say(call_, why);
        ended_ = status == SKH_OK ? receiver_.refused : std::min(status, SKH_OK - 1);
      } else {
        const skh_status before = receiver_.refused;
        if (!receiver_.take || !receiver_.take(receiver_, record, from) || !from.good())
          return false;
        if (before == SKH_OK && receiver_.refused != SKH_OK) {
          refused_ = Clock::now();
          stop(receiver_.refused);
        }
      }
    }
    return from.good();
  }

  Session &session_;
  FrameSocket &channel_;
  const skh_call *call_;
  Receiver &receiver_;
  Moment deadline_ = Moment::max(), limit_ = Moment::max(), cancelled_ = Moment::max();
  Moment refused_ = Moment::max(); // time when the host's sink refused more
  std::string held_;               // start of an answer that has not ended
  bool taken_ = false;
  std::optional<skh_status> ended_;
};

FrameSocket *borrow(Session &session, const skh_call *call) {
  while (!session.ended() && call->cancelled(call) == 0)
    if (FrameSocket *channel = session.borrow(Clock::now() + slice)) return channel;
  return nullptr;
}

skh_status tooLate(const skh_call *call) {
  const bool late = call->deadline_ns <= Clock::now().time_since_epoch().count();
  if (late) say(call, "no channel to its process was free in time");
  return late ? SKH_DEADLINE : SKH_CANCELLED;
}

} // namespace

Packer request(Operation operation, const skh_call *call) {
  Packer packer;
  packer.u8(static_cast<std::uint8_t>(operation));
  packer.i64(call->deadline_ns);
  packer.text(seen(call->traceparent));
  packer.text(seen(call->tracestate));
  return packer;
}

skh_status ask(Supervisor &supervisor, Operation operation, const skh_call *call, Packer &request,
               Receiver &receiver) {
  for (bool again = isIdempotent(operation);; again = false) {
    std::shared_ptr<Session> session;
    if (const skh_status status = supervisor.acquire(call, session); status != SKH_OK)
      return status;
    if (receiver.admit)
      if (const skh_status status = receiver.admit(session->number()); status != SKH_OK)
        return status;
    bool taken = false;
    if (FrameSocket *channel = borrow(*session, call)) {
      Attempt attempt(*session, *channel, call, receiver);
      const std::optional<skh_status> status = attempt.run(request);
      if (attempt.finished()) {
        session->answered = true;
        session->giveBack(channel);
      }
      if (status) return *status;
      taken = attempt.taken();
    } else if (!session->ended()) {
      return tooLate(call);
    }
    if (again && !taken) continue;
    receiver.lost = true;
    say(call, "its process ended before it had answered");
    return SKH_UNAVAILABLE;
  }
}

} // namespace skillhost::process
