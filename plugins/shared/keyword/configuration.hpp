// SPDX-License-Identifier: Apache-2.0
// Reads the options of the index from a plugin's configuration.
#pragma once

#include "health.hpp"
#include "index.hpp"

#include <skillhost/config.hpp>
#include <skillhost/held.hpp>

#include <mutex>
#include <stdexcept>

namespace skillhost::keyword {

// Throws skh::Error(SKH_INVALID) with a message that names the key.
Options optionsFrom(const skh::Config &config);

// Returns the folder in which this instance keeps its index; empty if it keeps none.
std::string folderOf(const skh::Host &host);
// Sends notices of the index to the log, and reports to `health` whether the index is kept.
Tell noticesOf(const skh::Host &host, Health &health);

// Entries from an earlier run are used only if the host asks for them. A host that does not ask
// puts every entry again and never removes those that it does not know.
class KeptEntries {
public:
  // Lists all visible entries as skillhost/held.h specifies.
  void tell(const Index &index, const skh::HeldEntries &out);
  // Must be called before every change. The first call runs `clear`, which must remove all kept
  // entries, unless tell() has listed them to the host.
  template <class Clear> void beforeChange(Clear &&clear) {
    const std::scoped_lock lock(deciding_);
    if (!isDecided_) clear();
    isDecided_ = true;
  }

private:
  std::mutex deciding_; // held while tell() lists or beforeChange() clears the kept entries
  bool isDecided_ = false;
};

// Runs `body` and turns std::invalid_argument, which the index throws for errors of the caller,
// into an error for the host.
template <class Body> decltype(auto) refusing(Body &&body) {
  try {
    return body();
  } catch (const std::invalid_argument &error) {
    throw skh::Error(SKH_INVALID, error.what());
  }
}

} // namespace skillhost::keyword
