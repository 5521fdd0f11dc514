// SPDX-License-Identifier: Apache-2.0
// Sends the host what a plugin in a runner tells it beside its answers: lines of the log, metrics,
// hints of changes and its health. No function waits for the host, except where it says so. What is
// told faster than the host reads is kept within bounds: hints count once, of health only the last
// state is kept, counters are added up, and lines above the rate of the host's log are counted.
#pragma once

#include "plugin_calls/plugin_log.hpp"
#include "process/frame_socket.hpp"
#include "process/messages.hpp"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::process {

// Returns a packer that begins with `record`.
inline Packer telling(Record record) {
  Packer packer;
  packer.u8(static_cast<std::uint8_t>(record));
  return packer;
}

// Any thread may call the functions. It lives until the process ends.
class RunnerOutbox {
public:
  explicit RunnerOutbox(FrameSocket &socket) : socket_(socket) {}
  RunnerOutbox(const RunnerOutbox &) = delete;
  RunnerOutbox &operator=(const RunnerOutbox &) = delete;

  // Starts the thread that sends. Without it, everything is sent at once, and each function waits.
  void start() noexcept;
  void log(std::int32_t level, std::string_view text);
  // Waits for the host if very many values of histograms, or names, are not sent yet.
  void metric(std::int32_t kind, std::string_view name, double value);
  void changed();
  void health(std::int32_t state, std::string_view why);

  // Waits until the host's socket has taken all that was told before.
  void flush();
  // Does the same, and tells how many lines were dropped. Call it at the end of the process.
  void finish();
  // Sends a frame after all that was told before, and waits for that.
  void send(Packer &frame);

private:
  static constexpr std::size_t levels = 5; // SKH_TRACE to SKH_ERROR
  struct Told {
    std::vector<std::pair<std::int32_t, std::string>> lines;
    std::map<std::pair<std::int32_t, std::string>, double> values; // by kind and name
    std::vector<std::pair<std::string, double>> observed;          // of histograms
    std::optional<std::pair<std::int32_t, std::string>> health;
    bool hasChanged = false;
  };
  enum class Losses : std::uint8_t { EachSecond, Now };

  void runSender() noexcept;
  void notice(); // that something was told
  bool keep(std::int32_t kind, std::string_view name, double value);
  void sendTold(Moment until, Losses losses = Losses::EachSecond);
  bool sendRest(Moment until);
  void pack(const Told &told);
  void packLosses(Losses losses);
  void put(Packer &record);

  FrameSocket &socket_;
  std::mutex sending_; // guards the sending side of the socket and unsent_; locked before mutex_
  std::string unsent_; // frames, the first of which may be sent in part
  Packer frame_;

  std::mutex mutex_; // guards all below
  std::condition_variable news_;
  bool hasSender_ = false, hasNews_ = false;
  Told told_;
  std::array<LineBudget, levels> budgets_{};
  std::array<std::uint64_t, levels> lost_{}; // lines, since they were reported
  Moment lossesReported_{};
};

} // namespace skillhost::process
