// SPDX-License-Identifier: Apache-2.0
// Bytes that a client has not taken yet, in order.
#pragma once

#include "ground/fragments.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::http {

class OutputQueue {
public:
  void push(Fragments bytes) {
    const std::size_t size = bytes.size();
    if (size != 0) waiting_.push_back(std::move(bytes));
    size_ += size;
  }
  // Adds both, or neither if there is no memory.
  void push(Fragments first, Fragments second) {
    waiting_.reserve(waiting_.size() + 2);
    push(std::move(first));
    push(std::move(second));
  }
  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }

  // Returns the first bytes, at most `maxBytes`, in at most as many pieces as `room` has.
  std::span<const iovec> parts(std::span<iovec> room, std::size_t maxBytes) const {
    std::size_t used = 0, skip = sent_;
    for (const Fragments &bytes : waiting_) {
      if (used == room.size() || maxBytes == 0) break;
      bytes.each([&](std::string_view piece) {
        if (skip >= piece.size()) {
          skip -= piece.size();
        } else if (used < room.size() && maxBytes != 0) {
          const std::size_t size = std::min(piece.size() - skip, maxBytes);
          // An iovec has no const; nobody writes to it.
          room[used++] = {const_cast<char *>(piece.data()) + skip, size};
          maxBytes -= size;
          skip = 0;
        }
      });
    }
    return room.first(used);
  }
  // Removes the first `bytes`, which were sent.
  void sent(std::size_t bytes) {
    size_ -= bytes;
    sent_ += bytes;
    std::size_t whole = 0;
    while (whole < waiting_.size() && sent_ >= waiting_[whole].size())
      sent_ -= waiting_[whole++].size();
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(whole));
  }
  void clear() { *this = {}; }

private:
  std::vector<Fragments> waiting_;
  std::size_t sent_ = 0; // bytes of the first message
  std::size_t size_ = 0;
};

} // namespace skillhost::http
