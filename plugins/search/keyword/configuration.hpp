// SPDX-License-Identifier: Apache-2.0
// The options of the index, as a plugin's configuration has them.
#pragma once

#include "index.hpp"

#include <skillhost/config.hpp>
#include <skillhost/held.hpp>

#include <stdexcept>

namespace skillhost::keyword {

// Throws skh::Error(SKH_INVALID) naming the key.
Options optionsFrom(const skh::Config &config);

// Where the index of this instance is kept; empty: nowhere.
std::string folderOf(const skh::Host &host);
// What the index has to say goes to the log.
Tell logOf(const skh::Host &host);
// All entries that are visible, as skillhost/held.h has it.
void tellHeld(const Snapshot &snapshot, const skh::HeldEntries &out);

// The index says std::invalid_argument for what the caller got wrong; the host is to hear it.
template <class Body> decltype(auto) refusing(Body &&body) {
  try {
    return body();
  } catch (const std::invalid_argument &error) {
    throw skh::Error(SKH_INVALID, error.what());
  }
}

} // namespace skillhost::keyword
