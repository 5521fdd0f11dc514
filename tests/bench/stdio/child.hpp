// SPDX-License-Identifier: Apache-2.0
// A server process on two pipes, with its clock and its memory.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct Placement {
  int driver = -1; // core of this program; -1: any
  int server = -1;
};

// A child process for use by one thread. Every failure throws std::runtime_error and names the
// program.
class Child {
public:
  // `command` is split at blanks; stderr is discarded.
  Child(const std::string &command, Placement placement);
  ~Child();
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  void write(std::string_view bytes);
  // Returns the next line, without its line feed; valid until the next call.
  std::string_view line();
  double cpuMicroseconds() const; // all threads, since the start
  double residentMegabytes() const;
  double peakMegabytes() const;

private:
  double statusField(std::string_view name) const;

  std::string name_;
  pid_t pid_ = -1;
  int toServer_ = -1, fromServer_ = -1;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

} // namespace bench
