// SPDX-License-Identifier: Apache-2.0
// Records the uses of skills. A request costs one look-up in a bounded queue, in which equal uses
// of one second are added up. A thread of its own writes them.
#pragma once

#include "base/metrics.hpp"
#include "plugin/observer.hpp"
#include "usage/report.hpp"
#include "usage/settings.hpp"
#include "usage/use.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace skillhost {

class UsageReader;

struct UsageRules {
  // Entries that may wait to be written; further uses are lost.
  std::size_t waiting = 65'536;
  std::chrono::milliseconds pause{1'000};          // between two commits
  std::chrono::milliseconds retryInterval{10'000}; // after the file could not be opened
  std::chrono::milliseconds end{1'000};            // time for writing at the end
  std::size_t refusals = 10; // recorded in one second; further ones are only counted
  // Number of different names; the others count as one client.
  std::size_t clients = 500;
};

// Any thread.
class UsageRecorder final : public Observer {
public:
  // Opens the file with the first event, so that an idle server writes nothing. Throws
  // std::system_error if no thread can be started.
  explicit UsageRecorder(UsageSettings settings, UsageRules rules = {},
                         metrics::Registry &registry = metrics::all());
  // Writes what waits, for at most rules.end.
  ~UsageRecorder() override;

  // Never waits for the file and never fails: an event without room is lost and counted
  // (skillhost_usage_lost_total). Long texts are cut. The texts are copied before it returns.
  void record(const UseView &event) noexcept;
  void record(const UseEvent &event) noexcept;
  void callEnded(const UseView &use) noexcept override { record(use); }
  void refused(const UseView &use) noexcept override { record(use); }
  // Waits until all recorded events are in the file or lost; false if `span` was too short.
  bool flush(std::chrono::milliseconds span);
  const UsageSettings &settings() const noexcept;
  // Makes usageSummary() of its file on a thread that serves no requests, and answers there. Fails
  // with Unavailable if many are waiting, and with Cancelled when the recorder ends. `isEnough`
  // returns true if nobody waits for the answer any more.
  void summarize(UsageQuestion question, std::vector<ServedSkill> served, UsageOf of,
                 std::function<bool()> isEnough, std::function<void(Result<Json>)> answer);

private:
  class Writer;
  const std::unique_ptr<Writer> writer_;
  const std::unique_ptr<UsageReader> reader_;
};

} // namespace skillhost
