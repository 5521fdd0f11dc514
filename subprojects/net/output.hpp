// SPDX-License-Identifier: Apache-2.0
// The sending half of stdio. Whoever has a message writes it, one at a time, as far as the client
// takes it at once; what it does not take is left to a thread of its own, so that a client which is
// slow to read keeps nobody: neither the reader of requests nor a plugin's thread with an answer.
#pragma once

#include "descriptor_writer.hpp"
#include "ground/fragments.hpp"
#include "net/stdio.hpp"

#include <sys/uio.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace skillhost {

class StdioTransport::Output {
public:
  // `changed` is called on any thread when nobody listens any more, and when there is room again.
  Output(int descriptor, std::function<void()> changed);
  ~Output(); // drops what is unsent
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  void send(Fragments message); // never waits; throws std::bad_alloc before it takes the message
  // Between hold() and release() of the reading thread messages gather, to go out in one write.
  void hold();
  void release();
  // So much is unsent that no more requests should be read.
  bool full() const;
  bool closed() const; // nobody listens any more
  // Waits until all is sent, as long as some of it moves within every `span`.
  void finish(std::chrono::milliseconds span);
  int descriptor() const noexcept { return writer_.descriptor(); }

private:
  void add(Fragments message);
  void flush(std::unique_lock<std::mutex> &lock);
  void take() noexcept;
  void settle(DescriptorWriter::Outcome outcome);
  bool startThread();
  void pump();

  DescriptorWriter writer_; // used by whoever set writing_
  const std::function<void()> changed_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, moved_;
  std::vector<Fragments> pending_, going_; // not yet, and just now, with the writer
  std::vector<iovec> parts_;               // of those that are pending
  std::size_t pendingBytes_ = 0, goingBytes_ = 0, movedBytes_ = 0;
  bool held_ = false, writing_ = false, closed_ = false;
  bool pumping_ = false, quit_ = false; // the thread owns writing_; it is to end
  std::thread thread_;
};

} // namespace skillhost
