// SPDX-License-Identifier: Apache-2.0
// Records the subscriptions of a state instance and the runner in which each was made. They are
// lost with the runner, so they must be repeated in the next runner before it is asked for
// messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::process {

// Any thread may use it.
class Subscriptions {
public:
  static constexpr std::size_t maxChannels = 1024;

  // Remembers a channel to which no runner has subscribed yet. Returns false if there are too many.
  // `isNew` is set to whether the channel was not remembered before.
  bool remember(std::string_view channel, bool &isNew);
  // Returns false if the channel was not remembered.
  bool forget(std::string_view channel);
  // Records that `runner` subscribes to the channel, if it is still remembered. 0 records that the
  // subscription failed.
  void recordSubscription(std::string_view channel, std::uint64_t runner);
  // Returns the channels to which this runner has not subscribed.
  std::vector<std::string> missing(std::uint64_t runner) const;

private:
  mutable std::mutex mutex_;
  // Runner of each channel's last subscription; 0: none.
  std::map<std::string, std::uint64_t, std::less<>> channels_;
};

} // namespace skillhost::process
