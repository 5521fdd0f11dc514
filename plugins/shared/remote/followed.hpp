// SPDX-License-Identifier: Apache-2.0
// The object that a Follower keeps up to date.
#pragma once

#include "operation.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace skillhost::remote {

using Checkpoint = std::function<void()>; // throws skh::Error to end the work

// The follower's thread calls everything but isServing(): load() once, then refresh() repeatedly.
// After each of them it calls measure() and publish(), and tidy() when nobody waits for these any
// more.
class Followed {
public:
  Followed() = default;
  virtual ~Followed() = default;
  Followed(const Followed &) = delete;
  Followed &operator=(const Followed &) = delete;

  // Prepares the content kept from the last run, if there is any. The follower logs what it throws.
  virtual void load() = 0;
  // Asks the remote and prepares the new content. Throws skh::Error, and RemoteError if the remote
  // fails; content that is ready by then is still published. `publishNow` publishes the ready
  // content before the rest is requested; it never throws.
  virtual void refresh(Operation &operation, const std::function<void()> &publishNow) = 0;
  // Reports additional gauges, before others can see new content.
  virtual void measure() {}
  // Serves the ready content, if there is any, and notifies the host if it is new.
  virtual void publish() = 0;
  // Saves and cleans up when there is time. The follower logs what it throws at debug.
  virtual void tidy(const Checkpoint & /*checkpoint*/) {}

  // True if there is content to serve. Any thread may call it.
  virtual bool isServing() const = 0;
  // Describes the content: "12 skills".
  virtual std::string serving() const = 0;
  // Unix seconds of the remote's last answer; 0 if there was none.
  virtual std::int64_t checked() const = 0;
  // True if no other content can arrive, so the remote need not be asked. Once true, it stays true.
  virtual bool isSettled() const { return false; }
};

} // namespace skillhost::remote
