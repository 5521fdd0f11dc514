// SPDX-License-Identifier: Apache-2.0
// Violations: the places where a request breaks a rule, and the answer that names them.
#pragma once

#include "rpc/envelope.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

struct Violation {
  Fault fault = Fault::InvalidInput;
  std::string path;   // "arguments.list[3]"
  std::string reason; // what is wrong there, in words: "101 items are more than the limit of 100"
  std::optional<std::int64_t> limit, actual; // set if a number is too large or too small
};

// An answer names at most this many.
inline constexpr std::size_t maxViolations = 20;

// The first violation decides the code. The message lists all of them, and the context has each as
// {path, code, message, limit?, actual?} in `errors`. `violations` must not be empty.
ToolFailure refusalOf(const std::vector<Violation> &violations);

} // namespace skillhost
