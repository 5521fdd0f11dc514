// SPDX-License-Identifier: Apache-2.0
// Notifies the sessions of changes of the catalogue: at once, then at growing intervals while it
// keeps changing, so that a file that grows does not make every client list all skills again and
// again.
#pragma once

#include "access/visibility.hpp"
#include "ground/timer.hpp"
#include "skills/catalogue.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

namespace skillhost {

class ClientSession;
struct Services;

// The rules are null if nothing can be hidden, and before they are known.
struct CatalogueMoment {
  std::shared_ptr<const Catalogue> catalogue;
  Visibility::RulesPointer rules;
};

// Any thread. Must outlive the timer of the services.
class ChangeNotices {
public:
  void catalogueChanged(Services &services, CatalogueMoment now, CatalogueMoment before);

private:
  using Sessions = std::vector<std::shared_ptr<ClientSession>>;
  // The caller holds the lock and releases `notified` after it: a session may be the last owner of
  // the services, and so of this object and its mutex.
  void notifySessions(Services &services, Sessions &notified);

  std::mutex mutex_;
  CatalogueMoment now_, before_;    // of the change that is not sent yet; null: there is none
  Timer::Clock::time_point next_{}; // no session is notified sooner
  std::chrono::milliseconds span_{0};
};

} // namespace skillhost
