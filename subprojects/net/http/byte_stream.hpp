// SPDX-License-Identifier: Apache-2.0
// The bytes of one connection, in the clear or through TLS. It never waits.
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
    Done,         // some bytes were moved
    WaitReadable, // try again when the socket is readable
    WaitWritable, // try again when the socket is writable
    Ended,        // the client sends nothing more: it has closed, or waits for an answer
    Gone,         // the connection is broken, or the client violated the protocol
  };
  struct Moved {
    Outcome outcome;
    std::size_t bytes = 0; // set if Done
  };

  virtual ~ByteStream() = default;
  virtual Moved read(std::span<char> into) = 0;
  // Writes as many bytes as possible at once. The next call must begin with the bytes that are
  // left.
  virtual Moved write(std::span<const iovec> parts) = 0;
  // Announces to the client that nothing follows.
  virtual void finish() = 0;
  // After a read that was Done: true if another read should follow before waiting.
  virtual bool hasMore() const = 0;
  virtual bool secure() const noexcept = 0;
  // The client's certificate, known once there was something to read. Null: none.
  virtual std::shared_ptr<const ClientCertificate> certificate() { return nullptr; }
  // After Gone: the client's mistake, for the log; empty: nothing to log.
  virtual std::string complaint() { return {}; }
};

// The caller keeps the ownership of `socket`, which must not block.
std::unique_ptr<ByteStream> plainStream(int socket);

} // namespace skillhost::http
