// SPDX-License-Identifier: Apache-2.0
// Reads questions and the skills that answer them: one JSON object per line.
#pragma once

#include "ground/result.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost::evaluation {

struct Question {
  std::size_t line = 0;            // in the file, from 1
  std::string id;                  // `_id`; empty: none
  std::string text;                // never empty
  std::vector<std::string> skills; // names; none: no skill answers it
};

inline constexpr std::size_t longestLine = 1U << 20U; // bytes
inline constexpr std::size_t largestFile = 64U << 20U;

// Reads lines such as {"text": "…", "skills": ["name", …]}, optionally with "_id" (a text or a
// number); ignores further members and empty lines. A failure names the file, the line and the
// expected form. The result has at least one question.
Result<std::vector<Question>> readQuestions(const std::string &path);

} // namespace skillhost::evaluation
