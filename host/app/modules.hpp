// SPDX-License-Identifier: Apache-2.0
// The parts of a host that have to stop. A part is added after the parts that it calls.
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

  // Adds a module. `stop` stops it, even if it has not started, and must not throw. Modules stop in
  // the reverse order of these calls.
  void add(std::function<void()> stop) { stops_.push_back(std::move(stop)); }
  // Stops the modules in the reverse order; each is stopped once.
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
