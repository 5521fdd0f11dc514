// SPDX-License-Identifier: Apache-2.0
// An instance of an observer plugin, as the host calls it, and the events that it receives.
#pragma once

#include "plugin/call.hpp"
#include "plugin/observer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// An event with copies of its texts, or a loss: the number of events that are missing at this
// place.
class ObservedEvent {
public:
  ObservedEvent(EventMask kind, std::initializer_list<std::string_view> texts);
  static ObservedEvent loss() { return {0, {}}; }

  EventMask kind = 0;       // a bit of event::; 0: a loss
  std::int32_t detail = 0;  // UseKind of a use, or LogLevel of a line
  std::int64_t time = 0;    // Unix milliseconds
  std::uint64_t number = 0; // microseconds of a use, or generation of a catalogue

  std::string_view text(std::size_t index) const noexcept;
  std::size_t bytes() const noexcept { return bytes_.size(); }

  // Add one event of this kind, or all events of another loss, to this loss.
  void addLost(EventMask kindOfOne);
  void addLost(const ObservedEvent &loss);
  void keepLost(EventMask kinds) noexcept;
  std::uint64_t lost(EventMask kinds) const noexcept;
  EventMask lostKinds() const noexcept;

private:
  std::array<std::uint32_t, 9>
      counts_{}; // bytes of the texts, or lost events by the bit of event::
  std::string bytes_;
};

using ObservedEvents = std::vector<ObservedEvent>;

class ObserverPlugin {
public:
  virtual ~ObserverPlugin() = default;

  virtual const std::string &name() const noexcept = 0;
  virtual EventMask wants() const noexcept = 0;
  // Hands over all events, in order. The answer is a success if the plugin has taken all of them.
  // Only one call may run at a time.
  virtual void deliver(CallOptions options, std::shared_ptr<const ObservedEvents> events,
                       ResultCallback<Done> answer) = 0;
  // Shows the operator this reason why the instance is degraded; empty: it is not degraded.
  virtual void setTrouble(std::string text) = 0;
  // Ends the executor, like ToolProvider::stop().
  virtual void stop() = 0;
};

} // namespace skillhost
