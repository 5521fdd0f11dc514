// SPDX-License-Identifier: Apache-2.0
// Parses bytes into one HttpRequest (RFC 9112), or into the status that refuses them. Wraps
// Boost.Beast's parser of heads behind stricter rules (head_rules.hpp, chunk_decoder.hpp).
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
  // Fills `request`, whose views point into `head` and `body`. All three must stay in place.
  RequestParser(const HeadLimits &limits, std::size_t maxBody, HttpRequest &request,
                std::string &head, std::string &body);
  RequestParser(const RequestParser &) = delete;
  RequestParser &operator=(const RequestParser &) = delete;

  enum class State { Head, Body, Complete, Refused };
  // Takes the next bytes and returns how many it used. It takes a head only as a whole: until then,
  // pass the same bytes again with more behind them. It never takes bytes behind the head in the
  // same call.
  std::size_t feed(std::string_view bytes);
  State state() const noexcept { return state_; }
  const Refusal &refusal() const noexcept { return refusal_; } // set if Refused

  // Valid once the head is complete:
  bool keepAlive() const noexcept { return keepAlive_; } // false for HTTP/1.0
  bool version11() const noexcept { return version11_; }
  bool wantsContinue() const noexcept { return wantsContinue_; } // Expect: 100-continue
  // Limits the body before any of it was fed. Returns false if it is known to be longer.
  bool limitBody(std::size_t maxBytes) noexcept;
  // Returns how many bytes of the body were fed so far, even if `body` was emptied meanwhile.
  std::size_t bodySize() const noexcept { return bodySize_; }
  // Returns how many bytes of the body were not fed yet; nothing for a chunked body.
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
  std::size_t left_ = 0; // for a body with a length
  std::optional<ChunkDecoder> chunks_;
};

} // namespace skillhost::http
