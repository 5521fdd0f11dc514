// SPDX-License-Identifier: Apache-2.0
// What a request's head must keep besides the grammar, so that no two readers of it can disagree
// on where the request ends, or on whom it is for (RFC 9112 §3.2, §6.3, §11.2).
#pragma once

#include "base/http.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace skillhost::http {

struct Refusal {
  int status = 400;
  std::string_view reason; // a literal: for the client, and for the log
};

inline constexpr Refusal tooLarge{413, "the request is too large"};

struct HeadLimits {
  std::size_t maxBytes = 16U << 10U, maxFields = 100;
};

// Finds the end of the head while it comes in, and looks at its lines: each ends in CRLF, holds no
// CR and no NUL, and continues no other.
class HeadScanner {
public:
  explicit HeadScanner(HeadLimits limits) : limits_(limits) {}
  // `bytes` begins with the head each time. Its length with the empty line; nothing: not all there.
  std::optional<std::size_t> scan(std::string_view bytes);
  const std::optional<Refusal> &refusal() const noexcept { return refusal_; }

private:
  std::optional<Refusal> lookAt(std::string_view line) const;

  HeadLimits limits_;
  std::size_t begin_ = 0, searched_ = 0, lines_ = 0;
  std::optional<Refusal> refusal_;
};

// The rules for a parsed head; `version11` is HTTP/1.1.
std::optional<Refusal> refusalOf(const HttpRequest &request, bool version11, std::size_t maxBody);
// Leaves path and query of the target, which may be in absolute form (RFC 9112 §3.2.2); its
// authority must then be that of Host.
std::optional<Refusal> splitTarget(std::string_view target, HttpRequest &request);
// Without regard to the case of ASCII letters.
bool sameText(std::string_view a, std::string_view b) noexcept;

} // namespace skillhost::http
