// SPDX-License-Identifier: Apache-2.0
// Writes the head of an answer as bytes.
#pragma once

#include "base/http.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost::http {

struct Framing {
  std::optional<std::size_t> length{}; // Content-Length
  bool chunked = false;
  bool close = false; // the connection ends with this answer
  std::string_view date;
};

// Returns the head with its empty line. A field whose value is not one line is left out, with an
// error in the log.
std::string responseHead(const HttpResponse &response, const Framing &framing);

// Makes the value of Date (RFC 9110 §5.6.7) once a second. Used by one thread only.
class DateText {
public:
  std::string_view now();

private:
  long second_ = -1;
  std::string text_;
};

} // namespace skillhost::http
