// SPDX-License-Identifier: Apache-2.0
#include "mcp/change_notices.hpp"

#include "catalogue_change.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

constexpr std::chrono::milliseconds firstSpan{100}, longestSpan{10'000};
// Longer than a source collects changes, else a file that grows all the time would look quiet.
constexpr std::chrono::milliseconds minQuiet{1'000};

} // namespace

void ChangeNotices::catalogueChanged(Services &services, CatalogueMoment now,
                                     CatalogueMoment before) {
  Sessions notified;
  const std::scoped_lock lock(mutex_);
  now_ = std::move(now);
  if (before_.catalogue) return; // the timer is set already
  before_ = std::move(before);
  if (Timer::Clock::now() >= next_) return notifySessions(services, notified);
  services.timer.at(next_, [this, &services] {
    Sessions notifiedLater;
    const std::scoped_lock later(mutex_);
    notifySessions(services, notifiedLater);
  });
}

void ChangeNotices::notifySessions(Services &services, Sessions &notified) {
  CatalogueChange change(services, std::exchange(now_, {}), std::exchange(before_, {}));
  bool isTold = false;
  notified = services.listeners.open();
  for (const auto &session : notified) isTold = session->catalogueChanged(change) || isTold;
  if (!isTold) return;
  // The intervals restart after a time without changes that is as long as the last one.
  const auto time = Timer::Clock::now();
  span_ = time >= next_ + std::max(span_, minQuiet) ? firstSpan : std::min(2 * span_, longestSpan);
  next_ = time + span_;
}

} // namespace skillhost
