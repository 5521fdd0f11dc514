// SPDX-License-Identifier: Apache-2.0
// Reads the fields of a message of Protocol Buffers, one after the other.
#pragma once

#include <cstdint>
#include <string_view>

namespace skillhost::embedding {

// Borrows the bytes and the name. Throws skh::Error(SKH_INVALID) if the message is damaged.
class ProtocolMessage {
public:
  // `called` begins the message of an error, for example "the file x".
  ProtocolMessage(std::string_view bytes, std::string_view called)
      : rest_(bytes), called_(called) {}

  // Moves to the next field. Returns false at the end.
  bool next();
  std::uint64_t field() const noexcept { return field_; }
  bool isBytes() const noexcept { return kind_ == Kind::Bytes; }
  // Returns a number. Throws if the field has another kind.
  std::uint64_t value() const;
  float number32() const;
  std::string_view bytes() const;
  // Returns the number that begins at the current place, and moves behind it.
  std::uint64_t number();
  bool hasMore() const noexcept { return !rest_.empty(); }

private:
  enum class Kind : std::uint8_t { Number, Eight, Bytes, Four = 5 };

  [[noreturn]] void refuse(const char *why) const;
  void require(Kind kind) const;
  void take(std::uint64_t count);

  std::string_view rest_, bytes_, called_;
  std::uint64_t field_ = 0, value_ = 0;
  Kind kind_ = Kind::Number;
};

} // namespace skillhost::embedding
