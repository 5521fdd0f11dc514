// SPDX-License-Identifier: Apache-2.0
#include "process/runner_outbox.hpp"

#include <skillhost/plugin.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <system_error>
#include <thread>

namespace skillhost::process {
namespace {

using Clock = std::chrono::steady_clock;

// At most so many values of histograms, and names of other metrics, wait to be sent.
constexpr std::size_t maxObserved = 4096, maxNames = 1000;
// The thread waits so long between two frames, so that hints without pause do not use up what the
// host reads.
constexpr std::chrono::milliseconds pause{5};
constexpr std::chrono::seconds betweenLosses{1};

} // namespace

void RunnerOutbox::start() noexcept try {
  std::thread([this] { runSender(); }).detach();
  const std::scoped_lock lock(mutex_);
  hasSender_ = true;
} catch (const std::system_error &) {
  // There is no thread: the functions send by themselves.
}

void RunnerOutbox::runSender() noexcept {
  for (;;) {
    try {
      {
        std::unique_lock lock(mutex_);
        news_.wait(lock, [this] { return hasNews_; });
        hasNews_ = false;
      }
      flush();
    } catch (const std::exception &) {
      // There is no memory: what was taken is lost.
    }
    std::this_thread::sleep_for(pause);
  }
}

void RunnerOutbox::notice() {
  {
    const std::scoped_lock lock(mutex_);
    if (hasSender_ && std::exchange(hasNews_, true)) return;
    if (hasSender_) return news_.notify_one();
  }
  flush();
}

void RunnerOutbox::log(std::int32_t level, std::string_view text) {
  level = std::clamp<std::int32_t>(level, SKH_TRACE, SKH_ERROR);
  {
    const std::scoped_lock lock(mutex_);
    // Each level has its own budget, because the host does not count lines that nobody wants.
    const auto which = static_cast<std::size_t>(level);
    const auto size = static_cast<double>(std::min(text.size(), maxPluginLineBytes));
    if (budgets_.at(which).take(size, Clock::now()))
      told_.lines.emplace_back(level, text);
    else
      ++lost_.at(which);
  }
  // Sent at once if that does not wait, so that the last line before a crash is seen.
  if (const std::unique_lock turn(sending_, std::try_to_lock); turn.owns_lock()) sendTold(Moment{});
  notice();
}

// Returns false if there is no room.
bool RunnerOutbox::keep(std::int32_t kind, std::string_view name, double value) {
  const std::scoped_lock lock(mutex_);
  if (kind == SKH_HISTOGRAM) {
    if (told_.observed.size() == maxObserved) return false;
    told_.observed.emplace_back(name, value);
    return true;
  }
  const std::pair key(kind, std::string(name));
  if (told_.values.size() == maxNames && !told_.values.contains(key)) return false;
  double &kept = told_.values[key];
  kept = kind == SKH_COUNTER ? kept + value : value;
  return true;
}

void RunnerOutbox::metric(std::int32_t kind, std::string_view name, double value) {
  // The host ignores them as well, but not in a sum.
  if (kind < SKH_COUNTER || kind > SKH_HISTOGRAM || !std::isfinite(value)) return;
  if (kind == SKH_COUNTER && value < 0) return;
  while (!keep(kind, name, value)) flush();
  notice();
}

void RunnerOutbox::changed() {
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(told_.hasChanged, true)) return;
  }
  notice();
}

void RunnerOutbox::health(std::int32_t state, std::string_view why) {
  {
    const std::scoped_lock lock(mutex_);
    told_.health.emplace(state, why);
  }
  notice();
}

void RunnerOutbox::flush() {
  const std::scoped_lock turn(sending_);
  sendTold(Moment::max());
}

void RunnerOutbox::finish() {
  const std::scoped_lock turn(sending_);
  sendTold(Moment::max(), Losses::Now);
}

void RunnerOutbox::send(Packer &frame) {
  const std::scoped_lock turn(sending_);
  sendTold(Moment::max(), Losses::Now);
  socket_.send(frame, Moment::max());
}

// The caller holds `sending_`.
void RunnerOutbox::sendTold(Moment until, Losses losses) {
  if (!sendRest(until)) return; // what was told since then stays coalesced
  Told told;
  {
    const std::scoped_lock lock(mutex_);
    std::swap(told, told_);
  }
  pack(told);
  packLosses(losses);
  if (frame_.size() != 0) unsent_ += frame_.frame();
  frame_.clear();
  sendRest(until);
}

// Returns true if nothing is left to send.
bool RunnerOutbox::sendRest(Moment until) {
  std::string_view rest = unsent_;
  // Nobody reads a closed socket any more.
  if (socket_.sendPart(rest, until) == FrameSocket::Sent::Closed) rest = {};
  unsent_.erase(0, unsent_.size() - rest.size());
  return unsent_.empty();
}

void RunnerOutbox::put(Packer &record) {
  frame_.append(record.frame().substr(sizeof(std::uint32_t)));
  if (frame_.size() < batchBytes) return;
  unsent_ += frame_.frame();
  frame_.clear();
}

void RunnerOutbox::pack(const Told &told) {
  for (const auto &[level, text] : told.lines) {
    Packer record = telling(Record::Log);
    record.i32(level);
    record.text(text);
    put(record);
  }
  const auto putMetric = [this](std::int32_t kind, const std::string &name, double value) {
    Packer record = telling(Record::Metric);
    record.i32(kind);
    record.text(name);
    record.number(value);
    put(record);
  };
  for (const auto &[key, value] : told.values) putMetric(key.first, key.second, value);
  for (const auto &[name, value] : told.observed) putMetric(SKH_HISTOGRAM, name, value);
  if (told.health) {
    Packer record = telling(Record::Health);
    record.i32(told.health->first);
    record.text(told.health->second);
    put(record);
  }
  if (told.hasChanged) {
    Packer record = telling(Record::Changed);
    put(record);
  }
}

void RunnerOutbox::packLosses(Losses losses) {
  std::array<std::uint64_t, levels> lost{};
  {
    const std::scoped_lock lock(mutex_);
    if (std::all_of(lost_.begin(), lost_.end(), [](auto count) { return count == 0; })) return;
    if (losses == Losses::EachSecond && Clock::now() - lossesReported_ < betweenLosses) {
      hasNews_ = true; // the thread looks again
      return news_.notify_one();
    }
    lossesReported_ = Clock::now();
    std::swap(lost, lost_);
  }
  for (std::size_t level = 0; level < levels; ++level) {
    if (lost.at(level) == 0) continue;
    Packer record = telling(Record::LinesLost);
    record.i32(static_cast<std::int32_t>(level));
    record.u64(lost.at(level));
    put(record);
  }
}

} // namespace skillhost::process
