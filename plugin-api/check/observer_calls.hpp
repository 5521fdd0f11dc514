// SPDX-License-Identifier: Apache-2.0
// Makes the batches with which the checks call an observer.
#pragma once

#include "instance.hpp"
#include "stand_in.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace skillhost::check {

// The texts of an event: all its plain texts are `text`, and all its JSON is `json`.
struct SampleEvents {
  std::string_view text, json;
};
inline constexpr SampleEvents usualEvents{"hello", R"({"event":"refused","status":401})"};

// Calls the observer for one event of each kind that it wants, `rounds` times, then for a loss, and
// ends the batch. Stops at the first status that is not SKH_OK, and names its function in `where`.
skh_status tellBatch(const Instance &instance, const StandInCall &call, const SampleEvents &sample,
                     std::size_t rounds, std::string &where);

} // namespace skillhost::check
