// SPDX-License-Identifier: Apache-2.0
// What was found for a file of questions.
#pragma once

#include "evaluation/measures.hpp"
#include "evaluation/questions.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost::app {

// What one question came to.
struct AnsweredQuestion {
  std::vector<std::string> names; // best first, each once
  evaluation::Measured measured;  // of a question that has skills
};

struct UnknownName {
  std::size_t line;
  std::string name;
};

// One configuration.
struct Evaluation {
  std::string plugin;                  // of the search
  std::size_t skills = 0;              // that could be found
  std::vector<AnsweredQuestion> found; // in the order of the questions
  std::vector<UnknownName> unknown;
};

} // namespace skillhost::app
