// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/surroundings.hpp"
#include "commandline/parser.hpp"
#include "skill_files.hpp"
#include "skillmd/front_matter.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

// The output of `validate`, and the findings that make it exit with 1.
enum class ReportForm : std::uint8_t { Text, Json, Sarif };
enum class FailOn : std::uint8_t { Error, Warning, Advice, Never };

// The settings of `skillhost validate`.
struct ValidateSettings {
  std::vector<std::string> paths; // absolute
  Strictness skillRules = Strictness::Lenient;
  HiddenFolders hidden = HiddenFolders::PassOver;
  ReportForm form = ReportForm::Text;
  FailOn failOn = FailOn::Error;
  std::string rulesFolder{}; // absolute; empty: no rules of the site
};

Result<ValidateSettings> readValidateSettings(const ParsedArguments &arguments,
                                              const Surroundings &surroundings);

} // namespace skillhost::app
