// SPDX-License-Identifier: Apache-2.0
#include "process/runner_call.hpp"

#include "process/text.hpp"

#include "ground/guarded.hpp"
#include "ground/utf8.hpp"

#include <algorithm>

namespace skillhost::process {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds hostReadInterval{1};
constexpr std::size_t maxReasonBytes = 1000;

// All channels of the process.
Guarded<std::vector<RunnerCall *>> &runnerCalls() {
  static Guarded<std::vector<RunnerCall *>> all;
  return all;
}

std::string_view payload(Packer &packer) { return packer.frame().substr(sizeof(std::uint32_t)); }

} // namespace

RunnerCall::RunnerCall(FrameSocket &socket)
    : socket_(socket),
      raw_{{sizeof(skh_call), 0, INT64_MAX, &cancelled, &progress, &fail, {}, {}}, this} {
  runnerCalls().with([this](auto &all) { all.push_back(this); });
}

RunnerCall::~RunnerCall() {
  runnerCalls().with([this](auto &all) { std::erase(all, this); });
}

RunnerCall *RunnerCall::find(const skh_call *raw) {
  return runnerCalls().with([raw](const auto &all) -> RunnerCall * {
    const auto found =
        std::find_if(all.begin(), all.end(), [raw](RunnerCall *one) { return one->raw() == raw; });
    return found == all.end() ? nullptr : *found;
  });
}

void RunnerCall::begin(std::int64_t deadlineNs, skh_str traceparent, skh_str tracestate) {
  const std::scoped_lock lock(mutex_);
  raw_.base.deadline_ns = deadlineNs;
  raw_.base.traceparent = traceparent;
  raw_.base.tracestate = tracestate;
  failureText_.clear();
  stopStatus_ = SKH_OK;
  replies_.clear();
  isRunning_ = true;
  lastReadAt_ = Clock::now();
  startFrame(FrameKind::Part);
}

void RunnerCall::startFrame(FrameKind kind) {
  out_.clear();
  out_.u8(static_cast<std::uint8_t>(kind));
}

skh_status RunnerCall::appendRecord() {
  if (stopStatus_ != SKH_OK) return stopStatus_;
  if (record_.size() > maxRecordBytes) return SKH_TOO_LARGE;
  out_.append(payload(record_));
  if (out_.size() < batchBytes) return SKH_OK;
  socket_.send(out_, Moment::max());
  startFrame(FrameKind::Part);
  readHostMessages();
  return stopStatus_;
}

void RunnerCall::end(skh_status status) {
  const std::scoped_lock turn(turn_); // waits for a call of the upstream on another thread
  const std::scoped_lock lock(mutex_);
  isRunning_ = false;
  out_.u8(static_cast<std::uint8_t>(Record::End));
  out_.i32(status);
  out_.text(status == SKH_OK ? std::string_view{} : std::string_view(failureText_));
  out_.replaceFirst(static_cast<std::uint8_t>(FrameKind::Last));
  socket_.send(out_, Moment::max());
}

// Reads the host's messages about the running call.
void RunnerCall::readHostMessages(Moment until) {
  std::string_view frame;
  while (socket_.receive(until, frame) == FrameSocket::Got::Frame) {
    until = Moment{};
    Unpacker from(frame);
    const auto operation = static_cast<Operation>(from.u8());
    if (operation == Operation::Cancel) stopStatus_ = std::min(from.i32(), SKH_OK - 1);
    if (operation == Operation::Piece && from.u32() == upstreamCalls_)
      pieces_.emplace_back(from.text());
    if (operation == Operation::Reply) {
      const std::uint32_t number = from.u32();
      const skh_status status = from.i32();
      replies_[number] = {status, std::string(from.text())};
    }
  }
  lastReadAt_ = Clock::now();
}

skh_status RunnerCall::reply(std::uint32_t number, std::string &text) {
  constexpr std::chrono::milliseconds slice{10}; // short, so that other threads get the lock
  for (;;) {
    const std::scoped_lock lock(mutex_);
    readHostMessages(Clock::now() + slice);
    if (auto found = replies_.extract(number)) {
      text = std::move(found.mapped().text);
      return found.mapped().status;
    }
    if (stopStatus_ != SKH_OK) return stopStatus_;
    if (Clock::now() >= momentOf(raw_.base.deadline_ns)) return SKH_DEADLINE;
  }
}

RunnerCall &RunnerCall::of(const skh_call *raw) noexcept {
  return *reinterpret_cast<const Raw *>(raw)->owner; // base is the first member of Raw
}

int32_t RunnerCall::cancelled(const skh_call *raw) noexcept try {
  RunnerCall &call = of(raw);
  const Moment now = Clock::now();
  if (now >= momentOf(raw->deadline_ns)) return 1;
  // A thread that holds the lock to send also reads the host's messages.
  const std::unique_lock lock(call.mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return 0;
  if (call.stopStatus_ == SKH_OK && now - call.lastReadAt_ >= hostReadInterval)
    call.readHostMessages();
  return call.stopStatus_ == SKH_OK ? 0 : 1;
} catch (...) {
  return 0;
}

void RunnerCall::progress(const skh_call *raw, uint64_t done, uint64_t total, skh_str what) noexcept
    try {
  of(raw).sendAside(Record::Progress, [done, total, what](Packer &packer) {
    packer.u64(done);
    packer.u64(total);
    packer.text(cutUtf8(toStringView(what), maxReasonBytes));
  });
} catch (...) {
  // Out of memory: this progress is not reported.
}

void RunnerCall::fail(const skh_call *raw, skh_str message) noexcept try {
  RunnerCall &call = of(raw);
  const std::scoped_lock lock(call.mutex_);
  call.failureText_ = cutUtf8(toStringView(message), maxReasonBytes);
} catch (...) {
  // Out of memory: only the status remains.
}

} // namespace skillhost::process
