// SPDX-License-Identifier: Apache-2.0
// A thread that waits for the server's words that its skills have changed (list_changed).
#pragma once

#include "credential.hpp"
#include "settings.hpp"

#include "ground/descriptor.hpp"

#include <skillhost/plugin.hpp>

#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace skillhost::mcp_source {

// If the server does not offer such notifications, the thread ends. If the connection breaks, it is
// opened again after a pause that grows, and is never shorter than the server demands.
class Listener {
public:
  // `changed` is called on the thread, also each time when a connection stands, because the changes
  // until then were not heard. `settings` and `credential` must outlive it.
  Listener(skh::Host host, const Settings &settings, Credential &credential,
           std::function<void()> changed);
  ~Listener();
  Listener(const Listener &) = delete;
  Listener &operator=(const Listener &) = delete;

private:
  void run(const std::stop_token &stop);
  std::optional<std::string> listen(const std::stop_token &stop);

  skh::Host host_;
  const Settings &settings_;
  Credential &credential_;
  const std::function<void()> changed_;
  Descriptor wake_;     // can be read when the thread has to stop
  std::jthread thread_; // last, because it uses all members above
};

} // namespace skillhost::mcp_source
