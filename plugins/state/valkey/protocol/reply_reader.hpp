// SPDX-License-Identifier: Apache-2.0
// Parses bytes into replies. Only this file uses hiredis. The bytes are not trusted.
#pragma once

#include "reply.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

struct redisReader;

namespace skillhost::valkey {

// The bytes are not a reply, or the reply is too large. Nothing more can be read.
class BadReply : public std::runtime_error {
public:
  BadReply(const std::string &what, bool tooLarge)
      : std::runtime_error(what), isTooLarge(tooLarge) {}
  const bool isTooLarge;
};

// Only one thread may use it.
class ReplyReader {
public:
  // Limits of one reply: bytes, and values in lists and nested lists (at most nine levels).
  static constexpr std::size_t maxBytes = (std::size_t{1} << 20U) + std::size_t{64} * 1'024;
  static constexpr std::size_t maxValues = 65'536;

  ReplyReader(); // throws std::bad_alloc
  ~ReplyReader();
  ReplyReader(const ReplyReader &) = delete;
  ReplyReader &operator=(const ReplyReader &) = delete;

  // Throws BadReply and std::bad_alloc.
  void feed(std::string_view bytes);
  // Returns the next complete reply. Throws as feed() does.
  std::optional<Reply> next();

private:
  struct Making; // callbacks for hiredis
  struct Free {
    void operator()(redisReader *reader) const noexcept;
  };

  std::size_t values_ = 0; // values of the current reply
  std::size_t bytes_ = 0;  // bytes of its texts
  bool isOver_ = false;    // a limit was exceeded
  // Every part of a reply ends with "\r\n". Until one has arrived, the reader does not call
  // hiredis, which would search all waiting bytes again for each piece.
  bool mayGoOn_ = true;
  char last_ = 0; // last byte that was fed
  std::unique_ptr<redisReader, Free> reader_;
};

} // namespace skillhost::valkey
