// SPDX-License-Identifier: Apache-2.0
// What a Follower follows, and what is kept of it.
#pragma once

#include "operation.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace skillhost::remote {

using Checkpoint = std::function<void()>; // throws skh::Error to have the work ended

// All but isServing() is called by the follower's thread: load() once, then look() again and again,
// after each of them measure(), publish() and, when nobody waits for these any more, tidy().
class Followed {
public:
  Followed() = default;
  virtual ~Followed() = default;
  Followed(const Followed &) = delete;
  Followed &operator=(const Followed &) = delete;

  // Makes ready what was kept last time, if anything was. What it throws is told.
  virtual void load() = 0;
  // Asks the remote, and makes ready what it says. Throws skh::Error, RemoteError when the remote
  // is to blame; what it has made ready by then is published all the same. `publishNow` has what is
  // ready published before the rest is asked for; it throws nothing.
  virtual void look(Operation &operation, const std::function<void()> &publishNow) = 0;
  // Reports gauges of its own: before there is anything new for others to see.
  virtual void measure() {}
  // Serves what is ready, if anything is, and tells the host when that is news.
  virtual void publish() = 0;
  // Writes down and cleans up, at leisure. What it throws is told to who looks closely.
  virtual void tidy(const Checkpoint & /*checkpoint*/) {}

  // Is there something to serve? Any thread.
  virtual bool isServing() const = 0;
  // It, in words: "12 skills".
  virtual std::string serving() const = 0;
  // Unix seconds of the remote's last answer; 0 when there was none.
  virtual std::int64_t checked() const = 0;
  // Nothing else can come: the remote need not be asked. Once true, it stays so.
  virtual bool isSettled() const { return false; }
};

} // namespace skillhost::remote
