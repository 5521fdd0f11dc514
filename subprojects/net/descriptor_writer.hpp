// SPDX-License-Identifier: Apache-2.0
// Writes to a descriptor that others may share, without ever making it non-blocking for them.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <vector>

namespace skillhost {

// One thread at a time, but for wake().
class DescriptorWriter {
public:
  // `descriptor` stays the caller's.
  explicit DescriptorWriter(int descriptor);
  ~DescriptorWriter();
  DescriptorWriter(const DescriptorWriter &) = delete;
  DescriptorWriter &operator=(const DescriptorWriter &) = delete;

  enum class Outcome { Sent, Full, Gone };
  // Takes new bytes, which must stay until they are Sent, and leaves an empty list.
  void begin(std::vector<iovec> &parts) noexcept;
  // Writes as much as fits at once. Gone: nobody reads any more.
  Outcome write();
  // Waits until some fits, or wake(). False after wake().
  bool wait();
  void wake() noexcept;                                     // for good; any thread
  std::size_t written() const noexcept { return written_; } // bytes in all
  int descriptor() const noexcept { return descriptor_; }

private:
  // A pipe is opened once more, non-blocking; a socket can be asked each time; a terminal cannot,
  // so only who may wait writes to it; a file never makes anybody wait.
  enum class Kind { Pipe, Socket, Terminal, Other };
  ssize_t writeOnce(std::size_t count);

  const int descriptor_;
  Kind kind_ = Kind::Other;
  int own_ = -1;  // what is written to; descriptor_ itself unless it is a pipe
  int wake_ = -1; // eventfd
  bool waited_ = false;
  std::vector<iovec> parts_;
  std::size_t first_ = 0, written_ = 0;
};

} // namespace skillhost
