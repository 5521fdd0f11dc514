// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls/plugin_log.hpp"

#include "base/fault.hpp"
#include "base/log_export.hpp"
#include "ground/counted.hpp"
#include "plugin_calls/plugin_timer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

namespace skillhost {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds untilTold{1000};
constexpr std::string_view cutMark = "... [truncated]";

// Returns at most `most` bytes, and cuts no character in two if the text is UTF-8.
std::string_view firstBytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > most - 3 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

} // namespace

bool LineBudget::take(double size, Clock::time_point now) {
  const double span = std::chrono::duration<double>(now - std::exchange(seen_, now)).count();
  lines_ = std::min(lines_ + span * limits_.lines, limits_.burstLines);
  bytes_ = std::min(bytes_ + span * limits_.bytes, limits_.burstBytes);
  if (lines_ < 1 || bytes_ < size) return false;
  lines_ -= 1;
  bytes_ -= size;
  return true;
}

class PluginLog::State : public std::enable_shared_from_this<State> {
public:
  State(std::string part, std::string prefix, std::string who, log::Audience audience,
        Limits limits)
      : part_(std::move(part)), prefix_(std::move(prefix)), who_(std::move(who)),
        audience_(audience), budget_(limits) {}

  void write(LogLevel level, std::string_view text) {
    const std::string_view kept = firstBytes(text, maxPluginLineBytes);
    if (!takes(static_cast<double>(kept.size()))) return;
    const std::string_view mark = kept.size() == text.size() ? std::string_view() : cutMark;
    const log::LineOrigin origin(part_);
    log::write(level, part_, prefix_ + std::string(kept) + std::string(mark), {}, audience_);
  }

  void tell() noexcept try {
    std::uint64_t count = 0;
    {
      const std::scoped_lock lock(mutex_);
      count = std::exchange(dropped_, 0);
      awaited_ = false;
    }
    if (count != 0)
      log::warning("plugin", who_ + ": " + counted(count, "line") + " dropped: it logs too much");
  } catch (const std::exception &) {
    // Memory ran out: the number is lost.
  }

private:
  bool takes(double size) {
    {
      const std::scoped_lock lock(mutex_);
      if (budget_.take(size, Clock::now())) return true;
      ++dropped_;
      if (std::exchange(awaited_, true)) return false;
    }
    pluginTimer().after(untilTold, [self = shared_from_this()] { self->tell(); });
    return false;
  }

  const std::string part_, prefix_, who_;
  const log::Audience audience_;
  std::mutex mutex_; // guards all below
  LineBudget budget_;
  std::uint64_t dropped_ = 0;
  bool awaited_ = false; // the timer will report
};

PluginLog::PluginLog(std::string part, std::string prefix, std::string who, log::Audience audience,
                     Limits limits)
    : state_(std::make_shared<State>(std::move(part), std::move(prefix), std::move(who), audience,
                                     limits)) {}

PluginLog::~PluginLog() { state_->tell(); }

void PluginLog::write(LogLevel level, std::string_view text) noexcept try {
  if (log::enabled(level)) state_->write(level, text);
} catch (const std::exception &) {
  // Memory ran out, or no thread for the timer could be started: the line is lost.
}

} // namespace skillhost
