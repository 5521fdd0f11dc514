// SPDX-License-Identifier: Apache-2.0
// Writes numbers, texts and arrays as bytes of a file for this machine. Reading checks every size,
// so that a damaged file cannot do harm.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace skillhost {

// The bytes of a file cannot be used; the message says why.
struct Damaged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ByteWriter {
public:
  template <class Value> void value(Value value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes_.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void text(std::string_view text) {
    value(std::uint64_t{text.size()});
    bytes_ += text;
  }
  template <class Value> void array(const std::vector<Value> &values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    text({reinterpret_cast<const char *>(values.data()), values.size() * sizeof(Value)});
  }
  const std::string &bytes() const noexcept { return bytes_; }

private:
  std::string bytes_;
};

// Reads values in the order in which they were written. Throws Damaged if bytes are missing.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) noexcept : rest_(bytes) {}
  template <class Value> Value value() {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value{};
    const std::string_view bytes = take(sizeof value);
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  std::string_view text() { return take(value<std::uint64_t>()); }
  template <class Value> std::vector<Value> array() {
    static_assert(std::is_trivially_copyable_v<Value>);
    const std::string_view bytes = text();
    if (bytes.size() % sizeof(Value) != 0) throw Damaged("an array ends within a value");
    std::vector<Value> values(bytes.size() / sizeof(Value));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  bool isAtEnd() const noexcept { return rest_.empty(); }
  void end() const {
    if (!isAtEnd()) throw Damaged("bytes behind the end");
  }

private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) throw Damaged("it ends too early");
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view rest_;
};

} // namespace skillhost
