// SPDX-License-Identifier: Apache-2.0
// The measures of one configuration, or of two and how they differ, for people and for programs.
#pragma once

#include "evaluation.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

struct EvaluationReport {
  const std::string &file;
  const std::vector<evaluation::Question> &questions;
  const Evaluation &own;
  const Evaluation *other; // null: there is nothing to compare with
  const std::string &otherFile;
};

// To standard output.
void printReport(const EvaluationReport &report, bool asJson);

} // namespace skillhost::app
