// SPDX-License-Identifier: Apache-2.0
#include "skillmd/finding.hpp"

#include "ground/shown.hpp"
#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace skillhost {
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

} // namespace

std::string render(const Finding &finding) {
  std::string out = shownLine(finding.file);
  if (finding.line != 0) out += ":" + std::to_string(finding.line);
  if (finding.line != 0 && finding.column != 0) out += ":" + std::to_string(finding.column);
  if (!out.empty()) out += ": ";
  out += nameOf(finding.severity);
  out += ": " + shownLine(finding.message) + " [" + finding.code + "]";
  std::string_view rest = finding.advice;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    out += "\n  ";
    out += rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return out;
}

Json findingAsJson(const Finding &finding) {
  Json out = {{"severity", nameOf(finding.severity)},
              {"id", finding.code},
              {"file", mendUtf8(finding.file)},
              {"line", finding.line},
              {"column", finding.column},
              {"reason", mendUtf8(finding.message)}};
  if (!finding.advice.empty()) out["remedy"] = mendUtf8(finding.advice);
  return out;
}

} // namespace skillhost
