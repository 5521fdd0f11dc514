// SPDX-License-Identifier: Apache-2.0
// From bytes to replies; the one place that knows hiredis. The bytes are not trusted.
#pragma once

#include "reply.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

struct redisReader;

namespace skillhost::valkey {

// What has come is no reply, or a larger one than is read. Nothing can be read any more.
class BadReply : public std::runtime_error {
public:
  BadReply(const std::string &what, bool tooLarge)
      : std::runtime_error(what), isTooLarge(tooLarge) {}
  const bool isTooLarge;
};

// One thread.
class ReplyReader {
public:
  // Of one reply: bytes, and values in lists and lists of lists (nine deep at most).
  static constexpr std::size_t mostBytes = (std::size_t{1} << 20U) + std::size_t{64} * 1'024;
  static constexpr std::size_t mostValues = 65'536;

  ReplyReader(); // std::bad_alloc
  ~ReplyReader();
  ReplyReader(const ReplyReader &) = delete;
  ReplyReader &operator=(const ReplyReader &) = delete;

  // Throws BadReply, std::bad_alloc.
  void feed(std::string_view bytes);
  // The next reply that is complete. Throws as feed().
  std::optional<Reply> next();

private:
  struct Making; // what hiredis calls
  struct Free {
    void operator()(redisReader *reader) const noexcept;
  };

  std::size_t values_ = 0; // of the reply that is being read
  std::size_t bytes_ = 0;  // of its texts
  bool isOver_ = false;    // over one of the limits
  // Every part of a reply ends with "\r\n": until one has come, hiredis would look through all
  // that waits, again for each piece.
  bool mayGoOn_ = true;
  char last_ = 0; // byte that was fed
  std::unique_ptr<redisReader, Free> reader_;
};

} // namespace skillhost::valkey
