// SPDX-License-Identifier: Apache-2.0
#include "process/watch.hpp"

#include "process/process_status.hpp"

#include "base/log.hpp"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace skillhost::process {
namespace {

using Clock = std::chrono::steady_clock;

// A pause between measurements is at least this long, and shareOfTime times as long as the last
// measurement.
constexpr std::chrono::milliseconds betweenMeasurements{500};
constexpr int shareOfTime = 100;

std::string megabytes(std::uint64_t bytes) { return std::to_string(bytes >> 20U) + " MB"; }

} // namespace

std::string quotaProblem(const Start &start, std::uint64_t beside) {
  if (start.cacheBytes == 0 || start.cacheDirectory.empty()) return {};
  const std::string folder = "its cache folder " + start.cacheDirectory;
  const std::optional<std::uint64_t> bytes = storedBytes(start.cacheDirectory, start.cacheBytes);
  if (!bytes) return folder + " holds folders that cannot be counted: empty it";
  if (*bytes + beside <= start.cacheBytes) return {};
  return folder + " holds more than cache_mb allows (" + megabytes(start.cacheBytes) +
         "): empty it, or raise cache_mb";
}

Watch::Watch(const Start &start, Descriptor &output)
    : start_(start), output_(start.instance, "the process of " + start.instance, output) {}

bool Watch::readGreeting(int control) {
  if (!hasGreeted_) hasGreeted_ = gate_.accept(control);
  return hasGreeted_;
}

Watch::Verdict Watch::checkConfinement(pid_t process, bool complete) {
  const std::optional<KernelStatus> status = readKernelStatus(process),
                                    own = readKernelStatus(::getpid());
  // A container may have put a filter on all processes, so this process must have one more than the
  // host.
  const bool filtered =
      status && own && status->hasSeccompFilter &&
      (status->seccompFilters == 0 || status->seccompFilters > own->seccompFilters);
  const bool holds = status && status->noNewPrivileges && filtered && status->capabilities == 0;
  if (complete && status && !holds)
    return {"the process is not confined, although it reported that it is"};
  hasCacheLimit_ = start_.cacheBytes != 0 && !start_.cacheDirectory.empty();
  canSeeOpenFiles_ = deletedBytes(process).has_value();
  if (hasCacheLimit_ || !countsThreads()) measureAt_ = Clock::now() + betweenMeasurements;
  return {{}, status.has_value()};
}

Watch::PollSet Watch::pollSet(Moment now) const {
  return {{{output_.number(now), POLLIN, 0}, {gate_.number(), POLLIN, 0}}};
}

Moment Watch::next(Moment now) const { return std::min(measureAt_, output_.next(now)); }

std::string Watch::handleEvents(pid_t process, const PollSet &pollSet) {
  if (pollSet[0].revents != 0) output_.read();
  if ((pollSet[1].revents & POLLIN) != 0) {
    if (gate_.answer(process)) {
      // The host cannot see threads that ended, so this process would never get another one.
      if (!readKernelStatus(process))
        return "it has started " + std::to_string(maxThreads) +
               " threads, and /proc of the process cannot be read to see how many are left";
      if (!std::exchange(hasWarnedOfThreads_, true))
        log::warning("plugin", start_.instance + ": its process has " + std::to_string(maxThreads) +
                                   " threads and gets no more");
    }
  } else if (pollSet[1].revents != 0) {
    gate_.close(); // the process has ended
  }
  const Moment now = Clock::now();
  if (now < measureAt_) return {};
  if (hasRun(process)) return measure(process);
  measureAt_ = now + betweenMeasurements;
  return {};
}

// Only the process itself writes to its folder: it has no children and no io_uring. So while none
// of its threads has run, there is nothing new to count.
bool Watch::hasRun(pid_t process) {
  const std::optional<std::chrono::nanoseconds> ran = processorTime(process);
  return std::exchange(lastProcessorTime_, ran) != ran || !ran;
}

std::string Watch::measure(pid_t process) {
  const Moment begun = Clock::now();
  std::string why;
  if (hasCacheLimit_) {
    const std::optional<std::uint64_t> deleted = deletedBytes(process);
    why = !deleted && canSeeOpenFiles_ ? "it hides from the host which files it has open"
                                       : quotaProblem(start_, deleted.value_or(0));
  }
  const std::optional<KernelStatus> status = readKernelStatus(process);
  if (status && status->threads > 2 * maxThreads)
    why = "it has " + std::to_string(status->threads) + " threads, and " +
          std::to_string(maxThreads) + " are allowed";
  const Moment now = Clock::now();
  measureAt_ = now + std::max<Clock::duration>(betweenMeasurements, (now - begun) * shareOfTime);
  return why;
}

void Watch::finish() { output_.finish(); }

} // namespace skillhost::process
