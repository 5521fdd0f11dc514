// SPDX-License-Identifier: Apache-2.0
#include "base/refusal_limit.hpp"

#include "base/log.hpp"

#include <exception>

namespace skillhost {
namespace {

constexpr std::size_t maxAddresses = 1'024;
constexpr std::string_view others = "others";

} // namespace

bool RefusalLimit::tell(std::string_view address, Moment now) {
  if (counts_.empty()) begin_ = now;
  auto found = counts_.find(address);
  if (found == counts_.end())
    found =
        counts_.try_emplace(std::string(counts_.size() < maxAddresses ? address : others)).first;
  return ++found->second <= each_;
}

RefusalLimit::Counts RefusalLimit::take(Moment now) {
  Counts untold;
  if (counts_.empty() || now < end()) return untold;
  for (const auto &[address, count] : counts_)
    if (count > each_) untold.emplace_back(address, count - each_);
  counts_.clear();
  return untold;
}

Refusals::~Refusals() {
  timer_.reset(); // it uses the other members
  reportCounts();
}

bool Refusals::getsOwnLine(std::string_view address) {
  const auto now = RefusalLimit::Moment::clock::now();
  reportUntil(now);
  const std::scoped_lock lock(mutex_);
  if (limit_.tell(address, now)) return true;
  if (std::exchange(waits_, true)) return false;
  try {
    if (!timer_) timer_ = std::make_unique<Timer>();
    timer_->at(limit_.end(), [this] { reportUntil(RefusalLimit::Moment::clock::now()); });
  } catch (const std::exception &why) {
    // Without a thread or memory, the next refusal or the end of the server writes the line.
    log::warning("log", why.what());
  }
  return false;
}

// Reports the counts of the span if it has ended by `now`.
void Refusals::reportUntil(RefusalLimit::Moment now) {
  RefusalLimit::Counts counts;
  {
    const std::scoped_lock lock(mutex_);
    counts = limit_.take(now);
    if (!counts.empty()) waits_ = false;
  }
  for (const auto &[address, count] : counts) tell_(address, count);
}

} // namespace skillhost
