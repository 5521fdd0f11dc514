// SPDX-License-Identifier: Apache-2.0
#include "process/index_home.hpp"

#include <utility>

namespace skillhost::process {

skh_status IndexHome::admit(Operation operation, std::uint64_t runner) {
  const std::scoped_lock lock(mutex_);
  const bool isNewRunner = indexRunner_ != 0 && indexRunner_ != runner;
  if (operation == Operation::Query || operation == Operation::Explain ||
      operation == Operation::Settle)
    return indexRunner_ == 0 || (!isNewRunner && isComplete_) ? SKH_OK : SKH_UNAVAILABLE;
  const bool isQuestion = operation == Operation::Generation || operation == Operation::Held;
  if (isNewRunner) {
    indexRunner_ = runner;
    isComplete_ = false;
    const bool writerKnows = std::exchange(isLossReported_, false) || isQuestion;
    if (writerKnows && !isQuestion) hasUncommitted_ = true;
    return writerKnows ? SKH_OK : SKH_STALE;
  }
  if (operation == Operation::Generation) return SKH_OK;
  indexRunner_ = runner;
  if (!isQuestion) hasUncommitted_ = true;
  return SKH_OK;
}

void IndexHome::onLossReported() {
  const std::scoped_lock lock(mutex_);
  isLossReported_ = true;
}

void IndexHome::onCommitted(std::string_view generation) {
  const std::scoped_lock lock(mutex_);
  isComplete_ = true;
  hasUncommitted_ = false;
  generation_ = generation;
}

void IndexHome::confirmGeneration(std::string_view generation) {
  const std::scoped_lock lock(mutex_);
  if (!hasUncommitted_ && !generation.empty() && generation == generation_) isComplete_ = true;
}

void IndexHome::onEntriesListed() {
  const std::scoped_lock lock(mutex_);
  isComplete_ = true;
}

} // namespace skillhost::process
