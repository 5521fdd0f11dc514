// SPDX-License-Identifier: Apache-2.0
// Keeps the create() calls of plugins that are running, so that the host can stop waiting for them.
#pragma once

#include "ground/result.hpp"

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

// Holds the outcome of one call of create(). Any thread may use it.
class Creation {
public:
  explicit Creation(std::string theWho) : who(std::move(theWho)) {}
  // Sets the outcome; only the first one counts.
  void conclude(Status outcome);
  // Waits for the outcome, and returns it. Call it once.
  Status wait() { return outcome_.get_future().get(); }

  const std::string who; // the instance and its plugin, for messages

private:
  std::promise<Status> outcome_;
  std::atomic<bool> isConcluded_{false};
};

// Any thread.
class Creations {
public:
  // After stop(), concludes the creation at once.
  void add(const std::shared_ptr<Creation> &one);
  // Concludes every creation with a failure; the plugins' calls go on.
  void stop();
  bool stopped() const;

private:
  static void giveUp(Creation &one) noexcept;

  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Creation>> running_;
  bool isStopped_ = false;
};

} // namespace skillhost
