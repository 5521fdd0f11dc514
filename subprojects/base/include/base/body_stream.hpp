// SPDX-License-Identifier: Apache-2.0
// BodyStream: the body of a request, on its way from the transport that receives it to a handler
// that reads it on another thread.
#pragma once

#include "ground/deadline.hpp"
#include "ground/result.hpp"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace skillhost {

// It keeps what is not read yet, so the writer limits the length of the body. Any thread.
class BodyStream {
public:
  // The functions of the writer, which never wait.
  // Returns how many bytes the stream now keeps.
  std::size_t add(std::string_view bytes);
  void finish(); // the body is complete
  void abort();  // the rest does not arrive; no effect after finish()

  // Waits for bytes and copies at most `room` of them, which must not be 0, to `buffer`. Returns
  // their number; 0: the body has ended. Fails with Cancelled after abort(), even if bytes are
  // left, and if `isCancelled`, which is called every few milliseconds, returns true; with
  // ToolTimeout at the deadline.
  Result<std::size_t> read(void *buffer, std::size_t room, const Deadline &deadline,
                           const std::function<bool()> &isCancelled);

private:
  enum class State { Open, Finished, Aborted };
  void end(State state);

  std::mutex mutex_; // guards all members below
  std::condition_variable changed_;
  std::string bytes_;
  std::size_t begin_ = 0; // of the bytes that are not read yet
  State state_ = State::Open;
};

} // namespace skillhost
