// SPDX-License-Identifier: Apache-2.0
// Reports the measures of one configuration, or of two and their differences, for people and
// programs.
#pragma once

#include "evaluation.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

struct EvaluationReport {
  const std::string &file;
  const std::vector<evaluation::Question> &questions;
  const Evaluation &own;
  const Evaluation *other; // null: no comparison
  const std::string &otherFile;
};

// Prints to standard output.
void printReport(const EvaluationReport &report, bool asJson);

} // namespace skillhost::app
