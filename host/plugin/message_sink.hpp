// SPDX-License-Identifier: Apache-2.0
// Receives the messages for this replica, which a plugin writes.
#pragma once

#include "frame.hpp"
#include "plugin/state.hpp"

#include <skillhost/state.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace skillhost {

// A message that breaks the rules of state.h makes the whole answer void, because the plugin cannot
// be trusted to have left nothing out. Like every sink it accepts nothing once the call is given
// up.
class MessageSink {
public:
  using Raw = OwnedTable<skh_messages>;
  explicit MessageSink(const CallFrame &frame);
  MessageSink(const MessageSink &) = delete;
  MessageSink &operator=(const MessageSink &) = delete;
  const skh_messages *raw() const noexcept { return raw_.get(); }
  // Returns the fault of the first message that was refused; empty if none was.
  std::string_view fault() const noexcept { return fault_; }

  std::vector<StateMessage> messages;

private:
  skh_status add(const skh_message *message);
  skh_status refuse(skh_status status, std::string_view why) noexcept;
  const CallFrame &frame_;
  std::size_t bytes_ = 0;
  std::string_view fault_;
  Raw raw_;
};

} // namespace skillhost
