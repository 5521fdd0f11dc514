// SPDX-License-Identifier: Apache-2.0
// A child program: its start, its end together with everything that it started, and its reaping.
#pragma once

#include "ground/descriptor.hpp"
#include "ground/result.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The description of a program to start. It starts without ignored or blocked signals.
struct Program {
  std::vector<std::string> words; // words[0] is a path, or a name to find in PATH
  // The program's descriptors 0, 1, 2 …; -1: empty input. It inherits ours for those of 0 to 2 that
  // are not listed, and no others, as long as all of ours are closed on exec.
  std::vector<int> descriptors;
  // WithoutSecrets: only variables known to hold no secret, and proxies without user and password.
  enum class Environment : std::uint8_t { Ours, WithoutSecrets } environment = Environment::Ours;
  // The folder in which it starts, and for relative names in words[0] and PATH; empty: the current
  // folder. start() fails if it cannot be entered.
  std::string workingDirectory = {};
  // Further variables, "NAME=value". They replace inherited ones of the same name.
  std::vector<std::string> variables = {};
};

// Returns the address of a proxy, "http://user:password@host:port" or without its scheme, without
// the user.
std::string withoutUser(std::string_view address);

// The leader of its own process group. Used by one thread, except kill().
class ChildProcess {
public:
  // NotFound if the program does not exist, Unavailable if the kernel refuses.
  static Result<ChildProcess> start(const Program &program);
  ChildProcess(ChildProcess &&other) noexcept;
  ChildProcess &operator=(ChildProcess &&) = delete;
  // Kills and reaps the process, unless it was reaped.
  ~ChildProcess();

  pid_t number() const noexcept { return number_; }
  // A descriptor that becomes readable when the process ends; -1 if the kernel has none (before
  // Linux 5.3).
  int ended() const noexcept { return ended_.number(); }
  // Waits for at most `patience` until it ends. Returns false if it has not ended, or if ended() is
  // missing.
  bool endsWithin(std::chrono::milliseconds patience) const;
  // Sends SIGTERM to its group, unless it was reaped.
  void terminate() noexcept;
  // Sends SIGKILL to the process and its group. May be called on any thread, even after the
  // reaping.
  void kill() noexcept;
  enum class Group : std::uint8_t { Dies, Stays }; // the fate of its left-over processes
  // Waits for the end and returns the status of waitpid(2). Later calls return the same status.
  int reap(Group group = Group::Dies);

private:
  explicit ChildProcess(pid_t number);

  pid_t number_;
  Descriptor ended_;
  std::mutex mutex_;
  bool reaped_ = false; // the number may then belong to another process
  int status_ = 0;      // valid once reaped
};

// Returns "was ended by signal 9 (SIGKILL)" or "ended with exit code 3".
std::string howItEnded(int status);

} // namespace skillhost
