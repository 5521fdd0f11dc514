// SPDX-License-Identifier: Apache-2.0
// Bytes of a known size that are not zeroed first. They keep their address if the buffer moves.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace skillhost::store {

class Buffer {
public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : bytes_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {}

  char *data() noexcept { return bytes_.get(); }
  std::size_t size() const noexcept { return size_; }
  std::string_view view() const noexcept { return {bytes_.get(), size_}; }

private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

} // namespace skillhost::store
