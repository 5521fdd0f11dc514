// SPDX-License-Identifier: Apache-2.0
// The arguments of `skillhost usage`: their description, and what they say.
#pragma once

#include "commandline/description.hpp"
#include "commandline/parser.hpp"
#include "usage/report.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

enum class UsageForm : std::uint8_t { Table, Json, Csv };

struct UsageInvocation {
  UsageQuestion question;
  std::vector<std::string> files; // empty: that of the configuration
  bool unused = false; // the skills that are served and were not used, in place of figures
  UsageForm form = UsageForm::Table;
};

CommandDescription usageDescription();

// `now`: Unix milliseconds, from which spans are counted back.
Result<UsageInvocation> usageInvocation(const ParsedArguments &given, std::int64_t now);

} // namespace skillhost::app
