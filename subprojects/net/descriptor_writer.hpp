// SPDX-License-Identifier: Apache-2.0
// Writes to a descriptor that other processes may share, without making it non-blocking for them.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <vector>

namespace skillhost {

// Used by one thread at a time, except wake().
class DescriptorWriter {
public:
  // The caller keeps the ownership of `descriptor`.
  explicit DescriptorWriter(int descriptor);
  ~DescriptorWriter();
  DescriptorWriter(const DescriptorWriter &) = delete;
  DescriptorWriter &operator=(const DescriptorWriter &) = delete;

  enum class Outcome { Sent, Full, Gone };
  // Takes new bytes, which must stay in place until they are Sent, and leaves `parts` empty.
  void begin(std::vector<iovec> &parts) noexcept;
  // Writes as much as fits at once. Gone: the reader has closed its end.
  Outcome write();
  // Waits until something fits or wake() is called. Returns false after wake().
  bool wait();
  void wake() noexcept;                                     // permanent; any thread
  std::size_t written() const noexcept { return written_; } // total bytes
  int descriptor() const noexcept { return descriptor_; }

private:
  // A pipe is opened once more, non-blocking. A socket takes a flag on each call. A terminal offers
  // neither, so only wait()'s thread may write to it. A file never blocks.
  enum class Kind { Pipe, Socket, Terminal, Other };
  ssize_t writeOnce(std::size_t count);

  const int descriptor_;
  Kind kind_ = Kind::Other;
  int own_ = -1;  // the descriptor written to: descriptor_, except for a pipe
  int wake_ = -1; // eventfd
  bool waited_ = false;
  std::vector<iovec> parts_;
  std::size_t first_ = 0, written_ = 0;
};

} // namespace skillhost
