// SPDX-License-Identifier: Apache-2.0
// The server under test: a child with a pipe each way, and an account of every answer.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace soak {

// One thread sends requests; another thread reads and counts the answers.
class ServerProcess {
public:
  // Keeps at most `window` requests open. Throws when the program cannot be started.
  ServerProcess(std::vector<std::string> command, std::size_t window);
  ~ServerProcess();
  ServerProcess(const ServerProcess &) = delete;
  ServerProcess &operator=(const ServerProcess &) = delete;

  // Sends a request without its braces, `"method":…`, under the next id, once there is room in the
  // window. Returns false when the server has gone, or has answered nothing for a minute.
  bool ask(const std::string &members);
  // Waits for the missing answers and ends the server. Returns the fault, or "".
  std::string finish();

  pid_t pid() const noexcept { return pid_; }
  std::uint64_t asked() const noexcept { return asked_; }
  std::uint64_t failed() const noexcept { return failed_; } // answers that were errors

private:
  void read();
  void count(const std::string &line);
  bool waitFor(std::size_t most);

  const std::size_t window_;
  pid_t pid_ = -1;
  int input_ = -1, output_ = -1;
  std::uint64_t asked_ = 0;
  std::atomic<std::uint64_t> failed_{0};
  std::mutex mutex_;
  std::condition_variable answered_;
  std::size_t open_ = 0; // requests without an answer
  bool ended_ = false;
  std::vector<std::uint8_t> answers_; // by id
  std::string wrong_;                 // the first fault
  std::thread reader_;
};

} // namespace soak
