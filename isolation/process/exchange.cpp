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

constexpr milliseconds cancelCheckInterval{10}; // interval between checks of the call's cancelled()
constexpr milliseconds graceAfterDeadline{
    120}; // time after the deadline until the process is killed
constexpr milliseconds graceAfterCancel{1'000}; // the same after a cancellation or a refusal
// Bytes of an answer that are held back, so that the call can be repeated.
constexpr std::size_t maxHeldBytes = 4U << 20U;

class Attempt {
public:
  Attempt(Session &session, FrameSocket &channel, const skh_call *call, Receiver &receiver)
      : session_(session), channel_(channel), call_(call), receiver_(receiver) {
    if (call->deadline_ns != INT64_MAX) {
      deadline_ = momentOf(call->deadline_ns);
      limit_ = deadline_ + graceAfterDeadline;
    }
  }

  // Returns nothing if the runner was lost.
  std::optional<skh_status> run(Packer &request) {
    sendDuringCall(request);
    for (;;) {
      if (isClosed_) return killRunner();
      if (endStatus_) return endStatus_;
      std::string_view frame;
      const auto got =
          channel_.receive(std::min(limit_, Clock::now() + cancelCheckInterval), frame);
      if (got == FrameSocket::Got::Closed) return killRunner();
      if (got == FrameSocket::Got::TooLong) return rejectFrame();
      if (got == FrameSocket::Got::Frame) {
        if (!handleFrame(frame)) return rejectFrame();
        if (answerStatus_) return answerStatus_;
      }
      if (!isClosed_ && !endStatus_) endStatus_ = stopIfDue();
    }
  }
  bool hasAnswer() const noexcept { return answerStatus_.has_value(); }
  bool hasDelivered() const noexcept { return hasDelivered_; }

private:
  std::optional<skh_status> killRunner() {
    session_.kill({});
    return std::nullopt;
  }

  std::optional<skh_status> rejectFrame() {
    session_.kill("it answered with a malformed frame");
    reportFailure(call_, "its process sent a malformed frame and was ended");
    return SKH_FAILED;
  }

  // Returns a status if waiting for the answer must stop.
  std::optional<skh_status> stopIfDue() {
    const Moment now = Clock::now();
    if (now >= limit_ && cancelledAt_ == Moment::max()) {
      session_.kill("a call timed out");
      reportFailure(call_, "timed out; its process was ended");
      return SKH_DEADLINE;
    }
    if (sinkRefusedAt_ != Moment::max() && now - sinkRefusedAt_ >= graceAfterCancel) {
      session_.kill("a call ignored that its output was refused");
      reportFailure(call_, "ignored that its output was refused; its process was ended");
      return receiver_.sinkStatus;
    }
    if (cancelledAt_ != Moment::max() && now >= endOfCancelled()) {
      session_.kill("a call ignored its cancellation");
      reportFailure(call_, "ignored its cancellation; its process was ended");
      return SKH_CANCELLED;
    }
    if (cancelledAt_ == Moment::max() && now < deadline_ && call_->cancelled(call_) != 0) {
      cancelledAt_ = now;
      if (!isSending_) sendStop(SKH_CANCELLED, endOfCancelled());
    }
    return std::nullopt;
  }

  Moment endOfCancelled() const {
    return receiver_.mayOutliveCancellation ? limit_
                                            : std::min(limit_, cancelledAt_ + graceAfterCancel);
  }

  // If the runner does not take the message before `until`, a part of it may be sent. That runner
  // is ended then, so that nothing follows.
  void sendStop(skh_status status, Moment until) {
    Packer packer;
    packer.u8(static_cast<std::uint8_t>(Operation::Cancel));
    packer.i32(status);
    channel_.send(packer, until);
  }

  // Sends a message, and stops the call meanwhile if that is due. Returns false if the call must
  // send nothing more.
  bool sendDuringCall(Packer &message) {
    if (isClosed_ || endStatus_ || cancelledAt_ != Moment::max()) return false;
    std::string_view rest = message.frame();
    auto sent = FrameSocket::Sent::Part;
    isSending_ = true;
    while (sent == FrameSocket::Sent::Part && !endStatus_) {
      sent = channel_.sendPart(rest, std::min(limit_, Clock::now() + cancelCheckInterval));
      if (sent == FrameSocket::Sent::Part) endStatus_ = stopIfDue();
    }
    isSending_ = false;
    isClosed_ = sent == FrameSocket::Sent::Closed;
    if (isClosed_ || endStatus_) return false;
    if (cancelledAt_ == Moment::max()) return true;
    sendStop(SKH_CANCELLED, endOfCancelled());
    return false;
  }

  bool handleFrame(std::string_view frame) {
    Unpacker from(frame);
    const auto kind = static_cast<FrameKind>(from.u8());
    frame.remove_prefix(from.good() ? 1 : 0);
    switch (kind) {
    case FrameKind::Aside:
      return handleAside(from);
    case FrameKind::Part:
      if (!hasDelivered_ && heldRecords_.size() + frame.size() <= maxHeldBytes) {
        heldRecords_ += frame;
        return true;
      }
      return deliverHeldRecords() && deliver(frame) && !answerStatus_;
    case FrameKind::Last:
      return deliverHeldRecords() && deliver(frame) && answerStatus_;
    }
    return false;
  }

  bool handleAside(Unpacker &from) {
    const auto record = static_cast<Record>(from.u8());
    if (record == Record::Progress) return progress(from);
    if (!receiver_.onAside) return false;
    const auto send = [this](Packer &message) { return sendDuringCall(message); };
    return receiver_.onAside(record, from, send) && from.good();
  }

  bool progress(Unpacker &from) {
    const std::uint64_t done = from.u64(), total = from.u64();
    const std::string_view what = from.text();
    if (!from.good() || from.hasMore()) return false;
    call_->progress(call_, done, total, toSkhStr(what));
    return true;
  }

  bool deliverHeldRecords() {
    if (heldRecords_.empty()) return true;
    const std::string held = std::exchange(heldRecords_, {});
    return deliver(held) && !answerStatus_;
  }

  bool deliver(std::string_view records) {
    hasDelivered_ = true;
    Unpacker from(records);
    while (from.hasMore() && !answerStatus_) {
      const auto record = static_cast<Record>(from.u8());
      if (record == Record::End) {
        const skh_status status = from.i32();
        const std::string_view why = from.text();
        if (!from.good() || from.hasMore()) return false;
        if (status != SKH_OK && !why.empty()) reportFailure(call_, why);
        answerStatus_ = status == SKH_OK ? receiver_.sinkStatus : std::min(status, SKH_OK - 1);
      } else {
        const skh_status before = receiver_.sinkStatus;
        if (!receiver_.onRecord || !receiver_.onRecord(receiver_, record, from) || !from.good())
          return false;
        if (before == SKH_OK && receiver_.sinkStatus != SKH_OK) {
          sinkRefusedAt_ = Clock::now();
          sendStop(receiver_.sinkStatus, std::min(limit_, sinkRefusedAt_ + graceAfterCancel));
        }
      }
    }
    return from.good();
  }

  Session &session_;
  FrameSocket &channel_;
  const skh_call *call_;
  Receiver &receiver_;
  Moment deadline_ = Moment::max(), limit_ = Moment::max(), cancelledAt_ = Moment::max();
  Moment sinkRefusedAt_ = Moment::max(); // time when the host's sink refused more
  std::string heldRecords_;              // start of an answer that has not ended
  bool hasDelivered_ = false;
  bool isSending_ = false;              // a part of a message has been sent
  bool isClosed_ = false;               // the runner takes nothing more
  std::optional<skh_status> endStatus_; // set when the runner was ended
  std::optional<skh_status> answerStatus_;
};

FrameSocket *borrow(Session &session, const skh_call *call) {
  while (!session.hasEnded() && call->cancelled(call) == 0)
    if (FrameSocket *channel = session.borrow(Clock::now() + cancelCheckInterval)) return channel;
  return nullptr;
}

skh_status noChannelStatus(const skh_call *call) {
  const bool late = call->deadline_ns <= Clock::now().time_since_epoch().count();
  if (late) reportFailure(call, "no channel to its process was free in time");
  return late ? SKH_DEADLINE : SKH_CANCELLED;
}

} // namespace

Packer request(Operation operation, const skh_call *call) {
  Packer packer;
  packer.u8(static_cast<std::uint8_t>(operation));
  packer.i64(call->deadline_ns);
  packer.text(toStringView(call->traceparent));
  packer.text(toStringView(call->tracestate));
  return packer;
}

Packer replyTo(std::uint32_t number, skh_status status) {
  Packer packer;
  packer.u8(static_cast<std::uint8_t>(Operation::Reply));
  packer.u32(number);
  packer.i32(status);
  return packer;
}

skh_status callRunner(Supervisor &supervisor, Operation operation, const skh_call *call,
                      Packer &request, Receiver &receiver) {
  for (bool mayRepeat = isIdempotent(operation);; mayRepeat = false) {
    std::shared_ptr<Session> session;
    if (const skh_status status = supervisor.acquire(call, session); status != SKH_OK)
      return status;
    if (receiver.admit)
      if (const skh_status status = receiver.admit(session->number()); status != SKH_OK)
        return status;
    bool hasDelivered = false;
    if (FrameSocket *channel = borrow(*session, call)) {
      Attempt attempt(*session, *channel, call, receiver);
      const std::optional<skh_status> status = attempt.run(request);
      if (attempt.hasAnswer()) {
        session->answered = true;
        session->giveBack(channel);
      }
      if (status) return *status;
      hasDelivered = attempt.hasDelivered();
    } else if (!session->hasEnded()) {
      return noChannelStatus(call);
    }
    if (mayRepeat && !hasDelivered) continue;
    receiver.runnerEnded = true;
    reportFailure(call, "its process ended before it had answered");
    return SKH_UNAVAILABLE;
  }
}

} // namespace skillhost::process
