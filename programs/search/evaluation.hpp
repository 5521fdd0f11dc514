// SPDX-License-Identifier: Apache-2.0
// The answers to a file of questions.
#pragma once

#include "evaluation/measures.hpp"
#include "evaluation/questions.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost::app {

// The answer to one question.
struct AnsweredQuestion {
  std::vector<std::string> names; // best first, each once
  evaluation::Measured measured;  // for a question that has skills
};

struct UnknownName {
  std::size_t line;
  std::string name;
};

// The result of one configuration.
struct Evaluation {
  std::string plugin;                  // the search plugin
  std::size_t skills = 0;              // number of searchable skills
  std::vector<AnsweredQuestion> found; // in the order of the questions
  std::vector<UnknownName> unknown;
};

} // namespace skillhost::app
