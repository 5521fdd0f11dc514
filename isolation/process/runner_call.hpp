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

namespace skillhost::process {

class RunnerCall {
public:
  // Serves one call after another on a channel.
  explicit RunnerCall(FrameSocket &socket);
  RunnerCall(const RunnerCall &) = delete;
  RunnerCall &operator=(const RunnerCall &) = delete;

  const skh_call *raw() const noexcept { return &raw_.base; }
  // The texts are borrowed until end().
  void begin(std::int64_t deadlineNs, skh_str traceparent, skh_str tracestate);
  // Adds one record, and sends the collected records if they are large. Returns the status for a
  // sink to return: SKH_TOO_LARGE for a record without end, or the host's status if it refuses
  // more. Any thread may call it.
  template <class Pack> skh_status add(Record record, Pack pack) {
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
    Packer packer;
    packer.u8(static_cast<std::uint8_t>(FrameKind::Aside));
    packer.u8(static_cast<std::uint8_t>(record));
    pack(packer);
    const std::scoped_lock lock(mutex_);
    socket_.send(packer, Moment::max());
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

  skh_status appendRecord();
  void startFrame(FrameKind kind);
  void readHostMessages(Moment until = {});

  struct Reply {
    skh_status status;
    std::string text;
  };
  FrameSocket &socket_;
  std::mutex mutex_; // guards all members below
  Packer out_, record_;
  std::string failureText_;
  skh_status stopStatus_ = SKH_OK;
  Moment lastReadAt_{};
  std::map<std::uint32_t, Reply> replies_; // by number of the question
  Raw raw_;
};

} // namespace skillhost::process
