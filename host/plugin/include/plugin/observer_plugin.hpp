// SPDX-License-Identifier: Apache-2.0
// An instance of a plugin that observes the server, as the host calls it, and the events it gets.
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

// One event, whose texts are copies; or a loss: so many events are missing at this place.
class ObservedEvent {
public:
  ObservedEvent(EventMask kind, std::initializer_list<std::string_view> texts);
  static ObservedEvent loss() { return {0, {}}; }

  EventMask kind = 0;       // one bit of event::; 0: a loss
  std::int32_t detail = 0;  // the UseKind of a use, the LogLevel of a line
  std::int64_t time = 0;    // Unix milliseconds
  std::uint64_t number = 0; // microseconds of a use, the generation of a catalogue

  std::string_view text(std::size_t index) const noexcept;
  std::size_t bytes() const noexcept { return bytes_.size(); }

  // A loss counts one more event of this kind, or all events of another loss.
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
  // Hands all of them over, in order, and says whether the plugin has taken all. One call at a
  // time.
  virtual void deliver(CallOptions options, std::shared_ptr<const ObservedEvents> events,
                       Answer<Done> answer) = 0;
  // Shows the operator this as the reason why the instance is degraded; empty: it is not.
  virtual void setTrouble(std::string text) = 0;
  // As ToolProvider::stop().
  virtual void stop() = 0;
};

} // namespace skillhost
