// SPDX-License-Identifier: Apache-2.0
// The progress of the sources' listings, which somebody may be waiting for. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

class ListingProgress {
public:
  // `done` never becomes less while the sources are the same. `total` is 0 if it is unknown. `what`
  // is a text such as "team: fetching …".
  using Observer =
      std::function<void(std::uint64_t done, std::uint64_t total, std::string_view what)>;
  static constexpr std::chrono::milliseconds betweenTellings{100};

  // The observer is called on a thread of some source's executor, at most ten times a second, as
  // long as the returned pointer or a copy of it is kept, and perhaps once more. It must not block.
  [[nodiscard]] std::shared_ptr<const Observer> observe(Observer observer);

  struct State {
    std::uint64_t done = 0, total = 0; // total is 0 if it is unknown
  };
  // Returns the sum over all sources at this moment.
  State now() const;

  void report(const std::string &source, std::uint64_t done, std::uint64_t total,
              std::string_view what);
  // Drops a source that is no longer served.
  void forget(const std::string &source);

private:
  State sum() const;

  mutable std::mutex mutex_;
  std::map<std::string, State> sources_;
  std::vector<std::weak_ptr<const Observer>> observers_;
  std::chrono::steady_clock::time_point next_{};
};

} // namespace skillhost
