// SPDX-License-Identifier: Apache-2.0
// A program started from here: what it gets, how it is ended with all that it started, its reaping.
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

// What one is started with. No signal is blocked or ignored then, whatever is here.
struct Program {
  std::vector<std::string> words; // the first is a path, or a name that PATH leads to
  // What it has as its descriptors 0, 1, 2 …; -1 is nothing to read. Of 0 to 2 those that are not
  // named are ours; above them it has nothing else, as long as everything is closed on exec.
  std::vector<int> descriptors;
  // WithoutSecrets: what is known to name none, and proxies without user and password.
  enum class Environment : std::uint8_t { Ours, WithoutSecrets } environment = Environment::Ours;
  // Where it starts, and from where relative names in words[0] and PATH are looked up; empty: where
  // we are. One that cannot be entered is a failure of start().
  std::string workingDirectory = {};
};

// The address of a proxy, "http://user:password@host:port" or without its scheme, less the user.
std::string withoutUser(std::string_view address);

// The leader of a process group of its own. One thread, save kill().
class ChildProcess {
public:
  // NotFound when there is no such program, Unavailable when the kernel refuses.
  static Result<ChildProcess> start(const Program &program);
  ChildProcess(ChildProcess &&other) noexcept;
  ChildProcess &operator=(ChildProcess &&) = delete;
  // Kills and reaps it when nobody has.
  ~ChildProcess();

  pid_t number() const noexcept { return number_; }
  // Readable once it has ended; -1 where the kernel has no such thing (before Linux 5.3).
  int ended() const noexcept { return ended_.number(); }
  // Waits that long for its end; false when it has not come, or cannot be learnt without ended().
  bool endsWithin(std::chrono::milliseconds patience) const;
  // SIGTERM to its group, before it is reaped.
  void terminate() noexcept;
  // SIGKILL to it and to its group. Any thread, also after it was reaped.
  void kill() noexcept;
  enum class Group : std::uint8_t { Dies, Stays }; // what it has left behind
  // Waits for its end and says how it ended, as waitpid(2) does; again what it has said before.
  int reap(Group group = Group::Dies);

private:
  explicit ChildProcess(pid_t number);

  pid_t number_;
  Descriptor ended_;
  std::mutex mutex_;
  bool reaped_ = false; // then the number may be somebody else's
  int status_ = 0;      // once it is reaped
};

// "was ended by signal 9 (SIGKILL)", "ended with exit code 3".
std::string howItEnded(int status);

} // namespace skillhost
