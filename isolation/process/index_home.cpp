// SPDX-License-Identifier: Apache-2.0
#include "process/index_home.hpp"

#include <utility>

namespace skillhost::process {

skh_status IndexHome::admit(Operation operation, std::uint64_t runner) {
  const std::scoped_lock lock(mutex_);
  const bool moved = home_ != 0 && home_ != runner;
  if (operation == Operation::Query || operation == Operation::Explain ||
      operation == Operation::Settle)
    return home_ == 0 || (!moved && whole_) ? SKH_OK : SKH_UNAVAILABLE;
  const bool asks = operation == Operation::Generation || operation == Operation::Held;
  if (moved) {
    home_ = runner;
    whole_ = false;
    const bool knows = std::exchange(told_, false) || asks;
    if (knows && !asks) pending_ = true;
    return knows ? SKH_OK : SKH_STALE;
  }
  if (operation == Operation::Generation) return SKH_OK;
  home_ = runner;
  if (!asks) pending_ = true;
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

void IndexHome::listed() {
  const std::scoped_lock lock(mutex_);
  whole_ = true;
}

} // namespace skillhost::process
