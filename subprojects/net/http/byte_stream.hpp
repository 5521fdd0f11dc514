// SPDX-License-Identifier: Apache-2.0
// The bytes of one connection, in the clear or through TLS; never waits.
#pragma once

#include "base/http.hpp"
#include "ground/descriptor.hpp"

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace skillhost::http {

class ByteStream {
public:
  enum class Outcome {
    Done,         // some bytes went through
    WaitReadable, // none can now: again once the socket is readable
    WaitWritable, // ... writable
    Ended,        // the other side sends nothing more: it may have closed, or wait for an answer
    Gone,         // the connection is broken, or the other side has broken the protocol
  };
  struct Moved {
    Outcome outcome;
    std::size_t bytes = 0; // when Done
  };

  virtual ~ByteStream() = default;
  virtual Moved read(std::span<char> into) = 0;
  // As many of the bytes as go at once. What was not taken must come first the next time.
  virtual Moved write(std::span<const iovec> parts) = 0;
  // Tells the other side that nothing follows.
  virtual void finish() = 0;
  // After a read that was Done: whether another one is to follow before waiting.
  virtual bool hasMore() const = 0;
  virtual bool secure() const noexcept = 0;
  // That the client has shown, once there was something to read. Null: none.
  virtual std::shared_ptr<const ClientCertificate> certificate() { return nullptr; }
  // After Gone: what of the client's is wrong, for the log; empty: nothing worth it.
  virtual std::string complaint() { return {}; }
};

// `socket` stays its owner's and does not block.
std::unique_ptr<ByteStream> plainStream(int socket);

} // namespace skillhost::http
