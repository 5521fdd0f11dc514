// SPDX-License-Identifier: Apache-2.0
#include "commands/validate.hpp"

#include "base/utf8.hpp"
#include "commands/skill_files.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace skillhost::app {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t largest = 67'108'864; // bytes of a document that is read

std::string counted(std::size_t count, const std::string &what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

Json toJson(const Finding &finding) {
  constexpr std::string_view severities[] = {"error", "warning", "advice"};
  Json out = {{"severity", severities[static_cast<std::size_t>(finding.severity)]},
              {"code", finding.code},
              {"file", mendUtf8(finding.file)},
              {"line", finding.line},
              {"column", finding.column},
              {"message", mendUtf8(finding.message)}};
  if (!finding.advice.empty()) out["advice"] = mendUtf8(finding.advice);
  return out;
}

class Validation {
public:
  Validation(Strictness strictness, const std::string &workingDirectory)
      : strictness_(strictness), workingDirectory_(workingDirectory) {}

  void check(const std::string &path, HiddenFolders hidden) {
    SkillFiles found = findSkillFiles(path, hidden);
    for (const auto &[place, why] : found.unreadable)
      note(place, "unreadable", "cannot be read: " + why, "");
    if (found.documents.empty() && found.unreadable.empty())
      note(path, "no-skill", "there is no SKILL.md here or below",
           "A skill is a folder with a SKILL.md.");
    for (const std::string &document : found.documents) checkDocument(document);
  }

  ValidationReport report(ReportForm form) const {
    const auto count = [&](Severity severity) {
      return static_cast<std::size_t>(
          std::count_if(findings_.begin(), findings_.end(),
                        [&](const Finding &one) { return one.severity == severity; }));
    };
    ValidationReport out;
    out.skills = skills_;
    out.errors = count(Severity::Error);
    const std::size_t warnings = count(Severity::Warning);
    if (form == ReportForm::Json) {
      Json list = Json::array();
      for (const Finding &finding : findings_) list.push_back(toJson(finding));
      out.text = Json({{"skills", skills_},
                       {"errors", out.errors},
                       {"warnings", warnings},
                       {"findings", std::move(list)}})
                     .dump(2) +
                 '\n';
      return out;
    }
    for (const Finding &finding : findings_) out.text += render(finding) + '\n';
    out.text += counted(skills_, "skill") + " checked: " + counted(out.errors, "error") + ", " +
                counted(warnings, "warning") + '\n';
    return out;
  }

private:
  std::string shown(const std::string &path) const {
    std::string inside = workingDirectory_;
    if (!inside.ends_with('/')) inside += '/';
    return path.starts_with(inside) ? path.substr(inside.size()) : path;
  }

  void note(const std::string &path, std::string code, std::string message, std::string advice) {
    Finding finding;
    finding.file = shown(path);
    finding.code = std::move(code);
    finding.message = std::move(message);
    finding.advice = std::move(advice);
    findings_.push_back(std::move(finding));
  }

  void checkDocument(const std::string &path) {
    std::error_code unknown;
    if (fs::file_size(path, unknown) > largest && !unknown)
      return note(path, "unreadable", "is larger than " + std::to_string(largest) + " bytes", "");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    if (file.peek() != std::ifstream::traits_type::eof()) content << file.rdbuf();
    if (!file.is_open() || file.bad())
      return note(path, "unreadable", std::string("cannot be read: ") + std::strerror(errno), "");
    ++skills_;
    const std::string folder = fs::path(path).parent_path().filename().string();
    std::vector<Finding> found = validateDocument(content.str(), shown(path), folder, strictness_);
    std::move(found.begin(), found.end(), std::back_inserter(findings_));
  }

  Strictness strictness_;
  const std::string &workingDirectory_;
  std::vector<Finding> findings_;
  std::size_t skills_ = 0;
};

} // namespace

ValidationReport validatePaths(const std::vector<std::string> &paths, Strictness strictness,
                               ReportForm form, const std::string &workingDirectory,
                               HiddenFolders hidden) {
  Validation validation(strictness, workingDirectory);
  for (const std::string &path : paths) validation.check(path, hidden);
  return validation.report(form);
}

} // namespace skillhost::app
