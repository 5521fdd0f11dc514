// SPDX-License-Identifier: Apache-2.0
// A call in a runner: the context lent to the plugin, and the answer sent to the host.
#pragma once

#include "process/frame_socket.hpp"
#include "process/messages.hpp"

#include <skillhost/plugin.h>

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::process {

class RunnerCall {
public:
  // Serves one call after another on a channel.
  explicit RunnerCall(FrameSocket &socket);
  ~RunnerCall();
  RunnerCall(const RunnerCall &) = delete;
  RunnerCall &operator=(const RunnerCall &) = delete;

  const skh_call *raw() const noexcept { return &raw_.base; }
  // Returns the object that lends this context; null if none does. It exists until the process
  // leaves. Any thread may call it.
  static RunnerCall *find(const skh_call *raw);
  // The texts are borrowed until end().
  void begin(std::int64_t deadlineNs, skh_str traceparent, skh_str tracestate);
  // Adds one record, and sends the collected records if they are large. Returns the status for a
  // sink to return: SKH_TOO_LARGE for a record without end, or the host's status if it refuses
  // more. Any thread may call it.
  template <class Pack> skh_status add(Record record, Pack pack) {
    const std::scoped_lock turn(turn_);
    const std::scoped_lock lock(mutex_);
    record_.clear();
    record_.u8(static_cast<std::uint8_t>(record));
    pack(record_);
    return appendRecord();
  }
  // Adds bytes of the answer, in as many records as they need.
  skh_status addBytes(std::string_view rest) {
    while (!rest.empty()) {
      const std::string_view piece = rest.substr(0, batchBytes);
      rest.remove_prefix(piece.size());
      const skh_status status = add(Record::Bytes, [piece](Packer &packer) { packer.text(piece); });
      if (status != SKH_OK) return status;
    }
    return SKH_OK;
  }
  // Sends the last frame.
  void end(skh_status status);
  // Sends one record beside the answer, at once. Any thread may call it.
  template <class Pack> void sendAside(Record record, Pack pack) {
    Packer packer = aside(record);
    pack(packer);
    const std::scoped_lock turn(turn_);
    const std::scoped_lock lock(mutex_);
    socket_.send(packer, Moment::max());
  }
  // Has the host call the upstream. `pack` packs the operation and its arguments. Returns the
  // status; if it is SKH_OK, `pieces` receives the records of the results. Returns SKH_INVALID if
  // no call runs. Any thread may call it.
  template <class Pack> skh_status askUpstream(Pack pack, std::vector<std::string> &pieces) {
    const std::scoped_lock turn(turn_);
    std::uint32_t number = 0;
    {
      const std::scoped_lock lock(mutex_);
      if (!isRunning_) return SKH_INVALID;
      number = ++upstreamCalls_;
      pieces_.clear();
      Packer packer = aside(Record::Upstream);
      packer.u32(number);
      pack(packer);
      socket_.send(packer, Moment::max());
    }
    std::string text;
    const skh_status status = reply(number, text);
    const std::scoped_lock lock(mutex_);
    pieces.swap(pieces_);
    pieces_.clear();
    return status;
  }
  // Waits for the host's answer to question `number`: its status, and its text if that is SKH_OK.
  // Any thread may call it.
  skh_status reply(std::uint32_t number, std::string &text);

private:
  struct Raw {
    skh_call base;
    RunnerCall *owner;
  };
  static RunnerCall &of(const skh_call *raw) noexcept;
  static int32_t cancelled(const skh_call *raw) noexcept;
  static void progress(const skh_call *raw, uint64_t done, uint64_t total, skh_str what) noexcept;
  static void fail(const skh_call *raw, skh_str message) noexcept;

  static Packer aside(Record record) {
    Packer packer;
    packer.u8(static_cast<std::uint8_t>(FrameKind::Aside));
    packer.u8(static_cast<std::uint8_t>(record));
    return packer;
  }
  skh_status appendRecord();
  void startFrame(FrameKind kind);
  void readHostMessages(Moment until = {});

  struct Reply {
    skh_status status;
    std::string text;
  };
  FrameSocket &socket_;
  // Held by a thread that sends, and by one that calls the upstream until it has the results. The
  // host then only sends, and nobody may fill the other direction. Locked before `mutex_`.
  std::mutex turn_;
  std::mutex mutex_;       // guards all members below
  bool isRunning_ = false; // a call
  Packer out_, record_;
  std::string failureText_;
  skh_status stopStatus_ = SKH_OK;
  Moment lastReadAt_{};
  std::map<std::uint32_t, Reply> replies_; // by number of the question
  std::uint32_t upstreamCalls_ = 0;        // the number of the last one
  std::vector<std::string> pieces_;        // of its results
  Raw raw_;
};

} // namespace skillhost::process
