// SPDX-License-Identifier: Apache-2.0
// Has the plugins under `observers` of the configuration: queues events for them from the start on,
// makes them, and ends them.
#pragma once

#include "app/configuration.hpp"
#include "base/readiness.hpp"
#include "ground/result.hpp"
#include "plugin/event_queue.hpp"
#include "plugin/observer.hpp"
#include "plugin/observer_plugin.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace skillhost::app {

class ObserverPlugins {
public:
  // A command makes them as a server does, and tells them nothing.
  enum class Told : std::uint8_t { Nothing, Events };
  ObserverPlugins(const Configuration &configuration, Told told);
  ~ObserverPlugins() { stop(); }
  ObserverPlugins(const ObserverPlugins &) = delete;
  ObserverPlugins &operator=(const ObserverPlugins &) = delete;

  // Returns `others`, and these where they are told something.
  Observers with(Observers others) const;
  // Makes each of them by this function. Once.
  using Make = std::function<Result<std::shared_ptr<ObserverPlugin>>(const ToolsConfiguration &)>;
  void makeAll(const Make &make);
  void catalogueChanged(std::uint64_t generation) const noexcept;
  // Reports which of them fail, and how many events each has lost. Any thread.
  Readiness readiness() const;
  // Hands over what waits, for at most half a second all together, and stops them.
  void stop();

private:
  const Told told_;
  std::vector<std::pair<ToolsConfiguration, std::shared_ptr<EventQueue>>> all_;
};

} // namespace skillhost::app
