// SPDX-License-Identifier: Apache-2.0
// The sending half of stdio. The thread that has a message writes it, one thread at a time, as far
// as the client takes it at once. A thread of its own sends the rest, so a slow client delays
// neither the reader of requests nor a plugin's thread with an answer.
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
  // `changed` is called on any thread when the client has gone, and when there is room again.
  Output(int descriptor, std::function<void()> changed);
  ~Output(); // drops unsent messages
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  void send(Fragments message); // never waits; throws std::bad_alloc before it takes the message
  // Between hold() and release(), both called by the reading thread, messages are collected and
  // then sent in one write.
  void hold();
  void release();
  // True if so many bytes are unsent that reading should pause.
  bool full() const;
  bool closed() const; // the client has gone
  // Waits until everything is sent, and gives up when nothing moves within `span`.
  void finish(std::chrono::milliseconds span);
  int descriptor() const noexcept { return writer_.descriptor(); }

private:
  void add(Fragments message);
  void flush(std::unique_lock<std::mutex> &lock);
  void take() noexcept;
  void settle(DescriptorWriter::Outcome outcome);
  bool startThread();
  void pump();

  DescriptorWriter writer_; // used by the thread that set writing_
  const std::function<void()> changed_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, moved_;
  std::vector<Fragments> pending_, going_; // waiting, and handed to the writer
  std::vector<iovec> parts_;               // the pieces of pending_
  std::size_t pendingBytes_ = 0, goingBytes_ = 0, movedBytes_ = 0;
  bool held_ = false, writing_ = false, closed_ = false;
  bool pumping_ = false, quit_ = false; // the thread owns writing_; the thread must end
  std::thread thread_;
};

} // namespace skillhost
