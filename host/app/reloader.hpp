// SPDX-License-Identifier: Apache-2.0
// SIGHUP: reads the configuration again and applies what differs, or keeps the old one whole.
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
  // Reads the configuration as at the start, from the same arguments.
  using Read = std::function<Result<Invocation>()>;
  // Hears of a configuration that is applied, on the reloader's thread.
  using Applied = std::function<void(const Configuration &)>;

  // `running` is what the host was made of, read from `file` (empty: there is none); the host must
  // outlive the reloader. Starts a thread.
  Reloader(Host &host, Configuration running, std::string file, Read read, Applied applied);
  // Does what stop() does.
  ~Reloader();
  Reloader(const Reloader &) = delete;
  Reloader &operator=(const Reloader &) = delete;

  // Reads and applies, and tells the service manager before and after, on the reloader's thread;
  // asked for once more meanwhile, once more. Any thread, never waits.
  void request();
  // Waits until the reload that has begun is done; nothing that is requested later is done. Not
  // called on the reloader's thread.
  void stop();

private:
  void work();
  // Why nothing of it is applied; empty: it is.
  std::string reload();
  // What came of it, for the log; the failure says why nothing of it is applied.
  Result<std::string> apply();

  Host &host_;
  Configuration running_; // of the reloader's thread
  const std::string file_;
  const Read read_;
  const Applied applied_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool wanted_ = false, ending_ = false;
  std::thread thread_;
};

} // namespace skillhost::app
