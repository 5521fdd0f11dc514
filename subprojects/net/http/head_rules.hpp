// SPDX-License-Identifier: Apache-2.0
// Rules for a request's head beyond the grammar. They prevent two readers from disagreeing about
// where a request ends, or for which host it is (RFC 9112 §3.2, §6.3, §11.2).
#pragma once

#include "base/http.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace skillhost::http {

struct Refusal {
  int status = 400;
  std::string_view reason; // a literal, for the client and the log
};

inline constexpr Refusal tooLarge{413, "the request is too large"};

struct HeadLimits {
  std::size_t maxBytes = 16U << 10U, maxFields = 100;
};

// Finds the end of the head while it arrives, and checks its lines: each ends in CRLF, contains
// neither CR nor NUL, and does not continue another line.
class HeadScanner {
public:
  explicit HeadScanner(HeadLimits limits) : limits_(limits) {}
  // `bytes` begins with the head each time. Returns the length of the head with its empty line, and
  // nothing while it is incomplete.
  std::optional<std::size_t> scan(std::string_view bytes);
  const std::optional<Refusal> &refusal() const noexcept { return refusal_; }

private:
  std::optional<Refusal> lookAt(std::string_view line) const;

  HeadLimits limits_;
  std::size_t begin_ = 0, searched_ = 0, lines_ = 0;
  std::optional<Refusal> refusal_;
};

// Checks a parsed head. `version11`: it is HTTP/1.1.
std::optional<Refusal> refusalOf(const HttpRequest &request, bool version11, std::size_t maxBody);
// Checks the head of a request whose body is wanted without a content coding.
std::optional<Refusal> refusalOfCoding(const HttpRequest &request);
// Reduces the target to path and query. A target in absolute form (RFC 9112 §3.2.2) must name the
// same authority as Host.
std::optional<Refusal> splitTarget(std::string_view target, HttpRequest &request);

} // namespace skillhost::http
