// SPDX-License-Identifier: Apache-2.0
// A file descriptor that its only owner closes.
#pragma once

#include "ground/result.hpp"

#include <unistd.h>

#include <optional>
#include <string_view>
#include <utility>

namespace skillhost {

class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    if (this != &other) reset(std::exchange(other.number_, -1));
    return *this;
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;

  int number() const noexcept { return number_; } // -1: none
  explicit operator bool() const noexcept { return number_ >= 0; }
  void reset(int number = -1) noexcept {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }

private:
  int number_ = -1;
};

// Writes all bytes, in as many calls as needed. Returns false and sets errno if the other end does
// not take them.
bool writeAll(int descriptor, std::string_view bytes) noexcept;

// A pipe: `read` yields what is written to `write`. Both are closed on exec.
struct Pipe {
  static Result<Pipe> open(); // Unavailable
  Descriptor read, write;
};

// Returns two connected ends of a stream socket, closed on exec. Throws std::system_error.
std::pair<Descriptor, Descriptor> socketPair();

// Sends one byte over a unix socket to another process, with the descriptor; -1: only the byte.
// Returns false and sets errno if the other end does not take it.
bool sendDescriptor(int socket, int descriptor) noexcept;
// Receives such a byte with its descriptor, which is closed on exec. Returns nothing if nothing has
// arrived, and none (-1) if the byte came alone or the other end has gone.
std::optional<Descriptor> receiveDescriptor(int socket) noexcept;

} // namespace skillhost
