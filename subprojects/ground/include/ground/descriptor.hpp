// SPDX-License-Identifier: Apache-2.0
// A file descriptor with one owner, who closes it.
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

// All of it, in as many calls as it takes. False, with errno, when the other end does not take it.
bool writeAll(int descriptor, std::string_view bytes) noexcept;

// What is written to `write` can be read from `read`. Both are closed on exec.
struct Pipe {
  static Result<Pipe> open(); // Unavailable
  Descriptor read, write;
};

// Two connected ends of a stream socket, closed on exec. Throws std::system_error.
std::pair<Descriptor, Descriptor> socketPair();

// To another process, over a unix socket: a byte, and with it the descriptor; -1: the byte alone.
// False with errno when the other end does not take it.
bool sendDescriptor(int socket, int descriptor) noexcept;
// What has been sent so; closed on exec. Nothing when nothing has come yet; none (-1) when the byte
// came alone, or the other end has gone.
std::optional<Descriptor> receiveDescriptor(int socket) noexcept;

} // namespace skillhost
