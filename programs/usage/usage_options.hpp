// SPDX-License-Identifier: Apache-2.0
// The arguments of `skillhost usage`: their description and their values.
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
  bool unused = false;            // shows the served but unused skills instead of figures
  UsageForm form = UsageForm::Table;
};

CommandDescription usageDescription();

// `now` is in Unix milliseconds; spans are counted back from it.
Result<UsageInvocation> usageInvocation(const ParsedArguments &arguments, std::int64_t now);

} // namespace skillhost::app
