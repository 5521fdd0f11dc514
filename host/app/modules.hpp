// SPDX-License-Identifier: Apache-2.0
// The parts of a host that have to stop: what asks is added after what answers it.
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace skillhost::app {

// Not thread-safe: one thread at a time uses it.
class Modules {
public:
  Modules() = default;
  ~Modules() { stop(); }
  Modules(const Modules &) = delete;
  Modules &operator=(const Modules &) = delete;

  // `stop` stops a module, also one that has not started. It must not throw. Modules stop in the
  // reverse order of these calls.
  void add(std::function<void()> stop) { stops_.push_back(std::move(stop)); }
  // Stops those that were added, the last one first; each is stopped once.
  void stop() {
    while (!stops_.empty()) {
      const std::function<void()> last = std::move(stops_.back());
      stops_.pop_back();
      last();
    }
  }

private:
  std::vector<std::function<void()>> stops_;
};

} // namespace skillhost::app
