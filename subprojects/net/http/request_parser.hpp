// SPDX-License-Identifier: Apache-2.0
// From bytes to one HttpRequest (RFC 9112), or the status that refuses them. Wraps Boost.Beast's
// parser of heads, behind stricter rules of our own (head_rules.hpp, chunk_decoder.hpp).
#pragma once

#include "base/http.hpp"
#include "chunk_decoder.hpp"
#include "head_rules.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::http {

class RequestParser {
public:
  // Fills `request`, whose views then point into `head` and `body`: all three stay where they are.
  RequestParser(const HeadLimits &limits, std::size_t maxBody, HttpRequest &request,
                std::string &head, std::string &body);
  RequestParser(const RequestParser &) = delete;
  RequestParser &operator=(const RequestParser &) = delete;

  enum class State { Head, Body, Complete, Refused };
  // Takes what comes next; returns how many bytes it used. A head is taken whole: until it is, it
  // is to come again, with more behind it. Nothing behind the head is taken along with it.
  std::size_t feed(std::string_view bytes);
  State state() const noexcept { return state_; }
  const Refusal &refusal() const noexcept { return refusal_; } // when Refused

  // Once the head is there:
  bool keepAlive() const noexcept { return keepAlive_; } // never with HTTP/1.0
  bool version11() const noexcept { return version11_; }
  bool wantsContinue() const noexcept { return wantsContinue_; } // Expect: 100-continue
  // Before any of the body was fed: false when it is known to be longer.
  bool limitBody(std::size_t most) noexcept;
  // Returns how many bytes of the body were fed so far, also if `body` was emptied meanwhile.
  std::size_t bodySize() const noexcept { return bodySize_; }
  // Of the body, what was not fed yet; nothing when it comes in chunks.
  std::optional<std::size_t> left() const noexcept {
    return chunks_ ? std::nullopt : std::optional(left_);
  }

private:
  class Beast;
  std::size_t takeHead(std::string_view bytes);
  std::size_t takeBody(std::string_view bytes);
  void beginBody();
  void refuse(Refusal refusal);

  const std::size_t maxBody_;
  HttpRequest &request_;
  std::string &head_, &body_;
  HeadScanner scanner_;
  State state_ = State::Head;
  Refusal refusal_{};
  bool keepAlive_ = false, version11_ = false, wantsContinue_ = false;
  std::size_t bodySize_ = 0;
  std::size_t left_ = 0; // of a body with a length
  std::optional<ChunkDecoder> chunks_;
};

} // namespace skillhost::http
