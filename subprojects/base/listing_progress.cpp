// SPDX-License-Identifier: Apache-2.0
#include "base/listing_progress.hpp"

#include <algorithm>

namespace skillhost {

std::shared_ptr<const ListingProgress::Observer> ListingProgress::observe(Observer observer) {
  auto kept = std::make_shared<const Observer>(std::move(observer));
  const std::scoped_lock lock(mutex_);
  observers_.push_back(kept);
  return kept;
}

void ListingProgress::report(const std::string &source, std::uint64_t done, std::uint64_t total,
                             std::string_view what) {
  std::vector<std::shared_ptr<const Observer>> observers;
  State all;
  {
    const std::scoped_lock lock(mutex_);
    State &own = sources_[source];
    own.done = std::max(own.done, done); // a second listing begins below the first
    own.total = total == 0 ? 0 : std::max(total, own.done);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + betweenTellings;
    std::erase_if(observers_, [&](const auto &one) {
      if (auto alive = one.lock()) observers.push_back(std::move(alive));
      return one.expired();
    });
    all = sum();
  }
  const std::string text = what.empty() ? source : source + ": " + std::string(what);
  for (const auto &one : observers) (*one)(all.done, all.total, text);
}

void ListingProgress::forget(const std::string &source) {
  const std::scoped_lock lock(mutex_);
  sources_.erase(source);
}

ListingProgress::State ListingProgress::now() const {
  const std::scoped_lock lock(mutex_);
  return sum();
}

ListingProgress::State ListingProgress::sum() const {
  State all;
  bool isKnown = true;
  for (const auto &[name, one] : sources_) {
    all.done += one.done;
    all.total += one.total;
    isKnown = isKnown && one.total != 0;
  }
  if (!isKnown) all.total = 0;
  return all;
}

} // namespace skillhost
