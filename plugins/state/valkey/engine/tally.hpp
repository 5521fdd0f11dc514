// SPDX-License-Identifier: Apache-2.0
// Counts events and reports them to the host from time to time, because a report for every
// operation would cost more than the counting.
#pragma once

#include <skillhost/plugin.hpp>

#include <atomic>
#include <cstdint>

namespace skillhost::valkey {

// Any thread may count; only one thread at a time may call report().
class Tally {
public:
  struct Count {
    const char *name;
    std::atomic<std::uint64_t> value{0};
    std::uint64_t reported = 0;
    void add(std::uint64_t by = 1) noexcept { value.fetch_add(by, std::memory_order_relaxed); }
  };

  // Operations by result.
  Count done{"operations_done"}, unavailable{"operations_unavailable"}, late{"operations_late"},
      failed{"operations_failed"};
  Count outages{"outages"};       // an engine that answered before no longer does
  Count reconnects{"reconnects"}; // an engine answers again
  Count messages{"messages"};     // received
  Count losses{"message_losses"}; // events after which messages may have been lost

  void report(const skh::Host &host) {
    for (Count *const one :
         {&done, &unavailable, &late, &failed, &outages, &reconnects, &messages, &losses}) {
      const std::uint64_t now = one->value.load(std::memory_order_relaxed);
      if (now == one->reported) continue;
      host.count(one->name, static_cast<double>(now - one->reported));
      one->reported = now;
    }
  }
};

} // namespace skillhost::valkey
