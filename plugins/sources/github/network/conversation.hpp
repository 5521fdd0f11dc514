// SPDX-License-Identifier: Apache-2.0
// Carries git's upload-pack protocol to the remote. Only one thread may use it.
#pragma once

#include "remote/operation.hpp"

#include <memory>
#include <string_view>

namespace skillhost::github {

// Throws skh::Error, and RemoteError if the remote fails.
class Stream {
public:
  Stream() = default;
  virtual ~Stream() = default;
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  // Returns at least one byte, or 0 at the end.
  virtual std::size_t read(char *into, std::size_t maxBytes) = 0;
  virtual void write(std::string_view bytes) = 0;
};

class Conversation {
public:
  enum class Step { advertise, request };

  Conversation() = default;
  virtual ~Conversation() = default;
  Conversation(const Conversation &) = delete;
  Conversation &operator=(const Conversation &) = delete;

  // True if every step has its own stream, as over HTTP. Otherwise the first stream serves all
  // steps.
  virtual bool isStateless() const noexcept = 0;
  virtual std::unique_ptr<Stream> open(Step step) = 0;
};

} // namespace skillhost::github
