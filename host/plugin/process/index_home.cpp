// SPDX-License-Identifier: Apache-2.0
#include "process/index_home.hpp"

#include <utility>

namespace skillhost::process {

skh_status IndexHome::admit(Operation operation, std::uint64_t runner) {
  const std::scoped_lock lock(mutex_);
  const bool moved = home_ != 0 && home_ != runner;
  if (operation == Operation::Query)
    return home_ == 0 || (!moved && whole_) ? SKH_OK : SKH_UNAVAILABLE;
  if (moved) {
    home_ = runner;
    whole_ = false;
    const bool knows = std::exchange(told_, false) || operation == Operation::Generation;
    if (knows && operation != Operation::Generation) pending_ = true;
    return knows ? SKH_OK : SKH_STALE;
  }
  if (operation == Operation::Generation) return SKH_OK;
  home_ = runner;
  pending_ = true;
  return SKH_OK;
}

void IndexHome::told() {
  const std::scoped_lock lock(mutex_);
  told_ = true;
}

void IndexHome::committed(std::string_view generation) {
  const std::scoped_lock lock(mutex_);
  whole_ = true;
  pending_ = false;
  generation_ = generation;
}

void IndexHome::kept(std::string_view generation) {
  const std::scoped_lock lock(mutex_);
  if (!pending_ && !generation.empty() && generation == generation_) whole_ = true;
}

} // namespace skillhost::process
