// SPDX-License-Identifier: Apache-2.0
// Which of the replicas does what only one has to do: it holds a lease, renews it, and another one
// takes it when it is gone.
#pragma once

#include "state/shared_state.hpp"

#include "ground/timer.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

namespace skillhost {

// Any thread.
class Lease {
public:
  using Span = std::chrono::milliseconds;

  // Tries at once and then every third of `span`, for which a lease holds: so long after its holder
  // was killed another one may have it. `changed` hears whether this replica holds it, when that is
  // another answer than before; on a thread of the executor or of the timer, one call at a time,
  // must not block. While the engine is away nobody takes it, and the one who held it gives it up
  // before it ends there.
  Lease(std::shared_ptr<SharedState> state, std::string_view name, Span span,
        std::function<void(bool held)> changed);
  // Gives it back when it is held, as far as the engine can be reached.
  ~Lease();
  Lease(const Lease &) = delete;
  Lease &operator=(const Lease &) = delete;

  bool held() const noexcept;

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
