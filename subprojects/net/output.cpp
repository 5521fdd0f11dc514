// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include "base/log.hpp"

#include <pthread.h>

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxCollectedBytes = 256U
                                          << 10U; // bytes collected before they are sent anyway
constexpr std::size_t maxUnsentOutputBytes = 8U << 20U; // unsent bytes at which reading pauses

} // namespace

StdioTransport::Output::Output(int descriptor, std::function<void()> changed)
    : writer_(descriptor), changed_(std::move(changed)) {}

StdioTransport::Output::~Output() {
  {
    const std::scoped_lock lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  writer_.wake();
  if (thread_.joinable()) thread_.join();
}

void StdioTransport::Output::send(Fragments message) {
  message.append("\n");
  std::unique_lock lock(mutex_);
  if (closed_) return;
  add(std::move(message));
  if (!held_ || pendingBytes_ >= maxCollectedBytes) flush(lock);
}

// Allocates all the memory that sending needs, so that sending the message cannot fail later.
void StdioTransport::Output::add(Fragments message) {
  std::size_t parts = parts_.size();
  message.each([&](std::string_view piece) { parts += piece.empty() ? 0 : 1; });
  if (parts > parts_.capacity()) parts_.reserve(std::max(parts, 2 * parts_.capacity()));
  pendingBytes_ += pending_.emplace_back(std::move(message)).size();
  // The pieces keep their addresses when the list of messages grows.
  pending_.back().each([&](std::string_view piece) {
    if (!piece.empty()) parts_.push_back({const_cast<char *>(piece.data()), piece.size()});
  });
}

void StdioTransport::Output::hold() {
  const std::scoped_lock lock(mutex_);
  held_ = true;
}

void StdioTransport::Output::release() {
  std::unique_lock lock(mutex_);
  held_ = false;
  flush(lock);
}

bool StdioTransport::Output::full() const {
  const std::scoped_lock lock(mutex_);
  return pendingBytes_ + goingBytes_ >= maxUnsentOutputBytes;
}

bool StdioTransport::Output::closed() const {
  const std::scoped_lock lock(mutex_);
  return closed_;
}

void StdioTransport::Output::finish(std::chrono::milliseconds span) {
  std::unique_lock lock(mutex_);
  const auto over = [this] { return closed_ || (!writing_ && pending_.empty()); };
  while (!over()) {
    const std::size_t before = movedBytes_;
    if (!moved_.wait_for(lock, span, [&] { return over() || movedBytes_ != before; })) return;
  }
}

// Hands all pending messages to the writer.
void StdioTransport::Output::take() noexcept {
  going_ = std::exchange(pending_, {});
  goingBytes_ = std::exchange(pendingBytes_, 0);
  writer_.begin(parts_);
}

// Updates the state after a write. The caller holds the lock.
void StdioTransport::Output::settle(DescriptorWriter::Outcome outcome) {
  const bool wasFull = pendingBytes_ + goingBytes_ >= maxUnsentOutputBytes;
  if (outcome != DescriptorWriter::Outcome::Full) {
    going_.clear();
    goingBytes_ = 0;
  }
  if (outcome == DescriptorWriter::Outcome::Gone) {
    closed_ = true;
    pending_.clear();
    parts_.clear();
    pendingBytes_ = 0;
  }
  movedBytes_ = writer_.written();
  moved_.notify_all();
  if (closed_ || (wasFull && pendingBytes_ + goingBytes_ < maxUnsentOutputBytes)) changed_();
}

void StdioTransport::Output::flush(std::unique_lock<std::mutex> &lock) {
  if (writing_) return; // the current writer takes these along
  writing_ = true;
  while (!pending_.empty() && !closed_) {
    take();
    lock.unlock();
    const DescriptorWriter::Outcome outcome = writer_.write();
    lock.lock();
    settle(outcome);
    if (outcome != DescriptorWriter::Outcome::Full) continue;
    if (!startThread()) {
      settle(DescriptorWriter::Outcome::Gone);
      break;
    }
    // From here, the thread writes the rest and owns writing_.
    pumping_ = true;
    wake_.notify_all();
    return;
  }
  writing_ = false;
  moved_.notify_all();
}

// Returns false if no thread can be started. Nothing could then wait for the client, so the output
// counts as closed.
bool StdioTransport::Output::startThread() {
  if (thread_.joinable()) return true;
  try {
    thread_ = std::thread([this] { pump(); });
    return true;
  } catch (const std::exception &why) {
    log::failure("stdio",
                 {"the client is slow to read and no thread can be started to wait for it, so its "
                  "session ends"},
                 why);
    return false;
  }
}

void StdioTransport::Output::pump() {
  pthread_setname_np(pthread_self(), "output");
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return pumping_ || quit_; });
    if (quit_) return;
    DescriptorWriter::Outcome outcome = DescriptorWriter::Outcome::Full;
    lock.unlock();
    if (writer_.wait()) outcome = writer_.write();
    lock.lock();
    settle(outcome);
    if (outcome == DescriptorWriter::Outcome::Full) continue;
    if (!pending_.empty() && !closed_) {
      take();
      continue;
    }
    pumping_ = writing_ = false;
    moved_.notify_all();
  }
}

} // namespace skillhost
