// SPDX-License-Identifier: Apache-2.0
// Waits until a rejected skill is no longer served. Any thread.
#pragma once

#include "ground/deadline.hpp"
#include "ground/guarded.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

class Catalogue;
struct Services;

class Withdrawals {
public:
  // Receives true if the skill is gone, false if the deadline has passed. Called once, on any
  // thread, perhaps before await() returns, and never after the services are gone.
  using Answer = std::function<void(bool isGone)>;
  // `id` is that of the skill.
  void await(Services &services, const std::string &id, Deadline deadline, Answer answer);
  // Call it when the catalogue has changed.
  void catalogueChanged(const Catalogue &now);

private:
  struct Waiting {
    std::string id;
    Answer answer;
    std::atomic<bool> isAnswered{false};
  };
  static void answer(Waiting &waiting, bool isGone);

  Guarded<std::vector<std::shared_ptr<Waiting>>> waiting_;
};

} // namespace skillhost
