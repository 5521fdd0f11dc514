// SPDX-License-Identifier: Apache-2.0
// How the words of git's upload-pack protocol reach the other side. One thread.
#pragma once

#include "remote/operation.hpp"

#include <memory>
#include <string_view>

namespace skillhost::github {

// Throws skh::Error, RemoteError where the remote is to blame.
class Stream {
public:
  Stream() = default;
  virtual ~Stream() = default;
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  // At least one byte, or 0 at the end.
  virtual std::size_t read(char *into, std::size_t most) = 0;
  virtual void write(std::string_view bytes) = 0;
};

class Conversation {
public:
  enum class Step { advertise, request };

  Conversation() = default;
  virtual ~Conversation() = default;
  Conversation(const Conversation &) = delete;
  Conversation &operator=(const Conversation &) = delete;

  // True when every step has a stream of its own, as over HTTP; else the first serves for all.
  virtual bool isStateless() const noexcept = 0;
  virtual std::unique_ptr<Stream> open(Step step) = 0;
};

} // namespace skillhost::github
