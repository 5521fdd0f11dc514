// SPDX-License-Identifier: Apache-2.0
// Owns the plugins under `observers` of the configuration: queues events for them from the start of
// the host, makes them, and stops them.
#pragma once

#include "app/configuration.hpp"
#include "base/log_export.hpp"
#include "base/readiness.hpp"
#include "ground/result.hpp"
#include "plugin/event_queue.hpp"
#include "plugin/observer.hpp"
#include "plugin/observer_plugin.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::app {

using ObserverNames = std::set<std::string, std::less<>>;
// True if an observer wrote the line, or the host reports in it about an observer.
bool isAboutObserver(const log::ExportedLine &line, const ObserverNames &names);

class ObserverPlugins {
public:
  // A command makes the plugins as a server does, but sends them no events.
  enum class Delivery : std::uint8_t { Nothing, Events };
  ObserverPlugins(const Configuration &configuration, Delivery delivery);
  ~ObserverPlugins() { stop(); }
  ObserverPlugins(const ObserverPlugins &) = delete;
  ObserverPlugins &operator=(const ObserverPlugins &) = delete;

  // Returns `others`, with the queues of these plugins if they receive events.
  Observers with(Observers others) const;
  // Makes each plugin by calling `make`. Call it once.
  using Make = std::function<Result<std::shared_ptr<ObserverPlugin>>(const ToolsConfiguration &)>;
  void makeAll(const Make &make);
  void catalogueChanged(std::uint64_t generation) const noexcept;
  // Reports the plugins that fail, and the number of events that each has lost. Any thread.
  Readiness readiness() const;
  // Hands over the waiting events, for at most half a second in total, and stops the plugins.
  void stop();

private:
  const Delivery delivery_;
  std::vector<std::pair<ToolsConfiguration, std::shared_ptr<EventQueue>>> all_;
};

} // namespace skillhost::app
