// SPDX-License-Identifier: Apache-2.0
// What a state instance is subscribed to, and in which of its runners: with a runner its
// subscriptions are gone, and the next one has to be told of them before it is asked for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::process {

// Any thread.
class Subscriptions {
public:
  static constexpr std::size_t most = 1024;

  // Remembers the channel, which no runner has been told of yet. False: there are too many. `isNew`
  // says whether it was not there before.
  bool remember(std::string_view channel, bool &isNew);
  // False: it was not there.
  bool forget(std::string_view channel);
  // That runner is being told of the channel, if it is still remembered. 0: that has come to
  // nothing.
  void tell(std::string_view channel, std::uint64_t runner);
  // The channels that this runner was not told of.
  std::vector<std::string> missing(std::uint64_t runner) const;

private:
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t, std::less<>> channels_; // with the runner told last; 0: none
};

} // namespace skillhost::process
