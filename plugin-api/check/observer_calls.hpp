// SPDX-License-Identifier: Apache-2.0
// The batches of an observer as the checks make them.
#pragma once

#include "instance.hpp"
#include "stand_in.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::check {

// What an event is made of: all of its texts are like this one.
struct SampleEvents {
  std::string_view text, json;
};
inline constexpr SampleEvents usualEvents{"hello", R"({"event":"refused","status":401})"};

// Tells one event of each kind that the observer wants, `rounds` times, then of a loss, and ends
// the batch. Ends it earlier when a status is not SKH_OK, and names its function in `where`.
skh_status tellBatch(const Instance &instance, const StandInCall &call, const SampleEvents &sample,
                     std::size_t rounds, std::string &where);

} // namespace skillhost::check
