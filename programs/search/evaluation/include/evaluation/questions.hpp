// SPDX-License-Identifier: Apache-2.0
// Questions and the skills that answer them, as people write them down: one JSON object a line.
#pragma once

#include "ground/result.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost::evaluation {

struct Question {
  std::size_t line = 0;            // of the file, from 1
  std::string id;                  // of `_id`; empty: it has none
  std::string text;                // never empty
  std::vector<std::string> skills; // their names; none: nothing here answers it
};

inline constexpr std::size_t longestLine = 1U << 20U; // bytes
inline constexpr std::size_t largestFile = 64U << 20U;

// {"text": "…", "skills": ["name", …]}, with "_id" (a text or a number) where there is one; further
// members and empty lines are passed over. The failure names the file, the line and what is to be
// there; at least one question is in what is read.
Result<std::vector<Question>> readQuestions(const std::string &path);

} // namespace skillhost::evaluation
