// SPDX-License-Identifier: Apache-2.0
// Where the index of a search instance is: an index in memory is gone with the runner that held
// it, and whoever filled it has to be told so exactly once, by a change that fails.
#pragma once

#include "process/messages.hpp"

#include <skillhost/plugin.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace skillhost::process {

// Any thread.
class IndexHome {
public:
  // May `operation` go to this runner? SKH_STALE tells a writer of the loss: its next put begins
  // anew. generation() and held() tell it too. SKH_UNAVAILABLE for a query, and for what is asked
  // about queries, until all was committed again.
  skh_status admit(Operation operation, std::uint64_t runner);
  // A put, remove or commit failed because its runner went: the writer knows.
  void told();
  void committed(std::string_view generation);
  // A runner that kept the generation last committed has kept the index.
  void kept(std::string_view generation);
  // The writer knows entry by entry what the runner holds, and so what is missing.
  void listed();

private:
  std::mutex mutex_;
  std::uint64_t home_ = 0; // the runner that is being filled or was listed; 0: nothing was put yet
  bool whole_ = true;      // what was committed before is there
  bool told_ = false;      // the writer knows that home_ has gone
  bool pending_ = false;   // changes that no commit has made visible
  std::string generation_; // last committed
};

} // namespace skillhost::process
