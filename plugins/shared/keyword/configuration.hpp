// SPDX-License-Identifier: Apache-2.0
// The options of the index, as a plugin's configuration has them.
#pragma once

#include "health.hpp"
#include "index.hpp"

#include <skillhost/config.hpp>
#include <skillhost/held.hpp>

#include <mutex>
#include <stdexcept>

namespace skillhost::keyword {

// Throws skh::Error(SKH_INVALID) naming the key.
Options optionsFrom(const skh::Config &config);

// Where the index of this instance is kept; empty: nowhere.
std::string folderOf(const skh::Host &host);
// What the index has to say goes to the log, and to `health` whether it is kept.
Tell noticesOf(const skh::Host &host, Health &health);

// What is kept of an earlier life counts only for a host that asks for it: one that does not puts
// every entry again and removes none of those that it does not know of.
class KeptEntries {
public:
  // All that are visible, as skillhost/held.h has it.
  void tell(const Index &index, const skh::HeldEntries &out);
  // Before every change. The first one calls `clear`, which has to forget all that is kept, unless
  // the host was told of it.
  template <class Clear> void beforeChange(Clear &&clear) {
    const std::scoped_lock lock(deciding_);
    if (!isDecided_) clear();
    isDecided_ = true;
  }

private:
  std::mutex deciding_; // held until what is kept is told or forgotten
  bool isDecided_ = false;
};

// The index says std::invalid_argument for what the caller got wrong; the host is to hear it.
template <class Body> decltype(auto) refusing(Body &&body) {
  try {
    return body();
  } catch (const std::invalid_argument &error) {
    throw skh::Error(SKH_INVALID, error.what());
  }
}

} // namespace skillhost::keyword
