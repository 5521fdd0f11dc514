// SPDX-License-Identifier: Apache-2.0
// Handles SIGHUP: reads the configuration again and applies the changes, or keeps the old one as a
// whole.
#pragma once

#include "app/command_line.hpp"
#include "host.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace skillhost::app {

class Reloader {
public:
  // Reads the configuration from the same arguments as at the start.
  using Read = std::function<Result<Invocation>()>;
  // Receives a configuration that was applied, on the reloader's thread.
  using Applied = std::function<void(const Configuration &)>;

  // `running` is the configuration of the host, read from `file` (empty if there is none). The host
  // must outlive the reloader. Starts a thread.
  Reloader(Host &host, Configuration running, std::string file, Read read, Applied applied);
  // Calls stop().
  ~Reloader();
  Reloader(const Reloader &) = delete;
  Reloader &operator=(const Reloader &) = delete;

  // Reads and applies the configuration on the reloader's thread, and notifies the service manager
  // before and after. Requests during a reload lead to one further reload. `failed` says what the
  // same signal has not achieved, and becomes part of the outcome. Any thread, never blocks.
  void request(std::string failed);
  // Waits for a reload that has begun, and drops all other requests. Do not call it on the
  // reloader's thread.
  void stop();

private:
  void work();
  // Returns the outcome for the service manager.
  std::string reload(const std::string &failed);
  // Returns the result for the log; the failure says why nothing was applied.
  Result<std::string> apply();

  Host &host_;
  Configuration running_; // used by the reloader's thread
  const std::string file_;
  const Read read_;
  const Applied applied_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool wanted_ = false, ending_ = false;
  std::string failed_; // of the latest request
  std::thread thread_;
};

} // namespace skillhost::app
