// SPDX-License-Identifier: Apache-2.0
// Tells the sessions that the catalogue has changed: at once, and in growing spans while it keeps
// changing, so that a file that grows does not have every client list all skills again and again.
#pragma once

#include "access/visibility.hpp"
#include "ground/timer.hpp"
#include "skills/catalogue.hpp"

#include <chrono>
#include <memory>
#include <mutex>

namespace skillhost {

struct Services;

// The rules are null where nothing can be hidden, and before it was known who is asked.
struct CatalogueMoment {
  std::shared_ptr<const Catalogue> catalogue;
  Visibility::RulesPointer rules;
};

// Any thread. It must outlive the timer of the services.
class ChangeNotices {
public:
  void catalogueChanged(Services &services, CatalogueMoment now, CatalogueMoment before);

private:
  void tell(Services &services); // under the lock

  std::mutex mutex_;
  CatalogueMoment now_, before_;    // of the change that is not told yet; null: there is none
  Timer::Clock::time_point next_{}; // no session is told anything sooner
  std::chrono::milliseconds span_{0};
};

} // namespace skillhost
