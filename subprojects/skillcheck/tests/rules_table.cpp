// SPDX-License-Identifier: Apache-2.0
// Prints the content rules as rows of a Markdown table, for doc/findings.md.
#include "skillcheck/content_rules.hpp"

#include <cstdio>
#include <string>
#include <string_view>

using namespace skillhost;

namespace {

std::string_view nameOf(Severity severity) noexcept {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Advice:
    break;
  }
  return "advice";
}

// Escapes bars, which would end the cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) (out += c == '|' ? "\\" : "") += c;
  return out;
}

} // namespace

int main() {
  std::string out = "| rule | at most | looks for | remedy |\n| --- | --- | --- | --- |\n";
  for (const ContentRule &rule : contentRules()) {
    out.append("| `").append(rule.id).append("` | ").append(nameOf(rule.severity));
    out.append(" | ").append(cell(rule.looksFor)).append(" | ").append(cell(rule.remedy));
    out.append(" |\n");
  }
  return std::fputs(out.c_str(), stdout) < 0 ? 1 : 0;
}
