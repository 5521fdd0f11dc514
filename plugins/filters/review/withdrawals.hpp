// SPDX-License-Identifier: Apache-2.0
// Who waits until a skill that was rejected is served no more. Any thread.
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
  // Whether it is gone, or the deadline has passed. Once, on any thread, perhaps before await()
  // returns; not after the services are gone.
  using Answer = std::function<void(bool isGone)>;
  // `id`: of the skill.
  void await(Services &services, const std::string &id, Deadline deadline, Answer answer);
  // The catalogue is another one.
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
