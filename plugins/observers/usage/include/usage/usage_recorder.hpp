// SPDX-License-Identifier: Apache-2.0
// Records what calls did. A request pays for one look-up in a bounded queue, where uses of one
// second that are alike add up; a thread of its own writes.
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
  // Entries that wait to be written, each of alike uses of one second; what is more is lost.
  std::size_t waiting = 65'536;
  std::chrono::milliseconds pause{1'000};  // between two commits
  std::chrono::milliseconds again{10'000}; // after the file could not be opened
  std::chrono::milliseconds end{1'000};    // how long the file is waited for in the end
  std::size_t refusals = 10;               // recorded of one second; what is more is counted
  std::size_t clients = 500;               // different names; the rest counts as one
};

// Any thread.
class UsageRecorder final : public Observer {
public:
  // Opens the file with the first event, so that who serves nobody writes nothing. Throws
  // std::system_error when no thread can be started.
  explicit UsageRecorder(UsageSettings settings, UsageRules rules = {},
                         metrics::Registry &registry = metrics::all());
  // Writes what waits, for at most rules.end.
  ~UsageRecorder() override;

  // Never waits for the file and never fails: an event that finds no room is lost, and counted
  // (skillhost_usage_lost_total). Texts are cut at a length that suits a table. The bytes of the
  // texts are not looked at after it has returned.
  void record(const UseView &event) noexcept;
  void record(const UseEvent &event) noexcept;
  void callEnded(const UseView &use) noexcept override { record(use); }
  void refused(const UseView &use) noexcept override { record(use); }
  // Waits until what was recorded is in the file, or lost; false when `span` was too short.
  bool flush(std::chrono::milliseconds span);
  const UsageSettings &settings() const noexcept;
  // usageSummary() of its file, on a thread that serves nobody, which answers; Unavailable when
  // many ask, and Cancelled when it ends. `isEnough`: nobody waits for the answer any more.
  void summarize(UsageQuestion question, std::vector<ServedSkill> served, UsageOf of,
                 std::function<bool()> isEnough, std::function<void(Result<Json>)> answer);

private:
  class Writer;
  const std::unique_ptr<Writer> writer_;
  const std::unique_ptr<UsageReader> reader_;
};

} // namespace skillhost
