// SPDX-License-Identifier: Apache-2.0
#include "validate.hpp"

#include "ground/counted.hpp"
#include "ground/document_names.hpp"
#include "ground/read_file.hpp"
#include "ground/shown.hpp"
#include "ground/text.hpp"
#include "ground/utf8.hpp"
#include "sarif.hpp"
#include "skill_files.hpp"
#include "skillcheck/absent_files.hpp"
#include "skillcheck/inspect_file.hpp"
#include "skillcheck/inspect_text.hpp"
#include "skillmd/assessment.hpp"
#include "skillmd/requirements.hpp"
#include "skillmd/script_description.hpp"
#include "skills/catalogue.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>

namespace skillhost::app {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t maxDocumentBytes = 67'108'864;   // bytes of a document
constexpr std::uintmax_t maxOtherFileBytes = 8'388'608;   // bytes of a file beside it
constexpr std::uintmax_t maxOtherFilesBytes = 67'108'864; // bytes of all files beside it
constexpr std::size_t maxFiles = 2000;                    // of a skill

bool standsBefore(const Finding &a, const Finding &b) noexcept {
  return std::tie(a.line, a.column, a.code, a.message) <
         std::tie(b.line, b.column, b.code, b.message);
}

// Returns true for files that are copied elsewhere, because their links are for that place.
bool isTemplate(const std::string &path, const fs::path &skill) {
  const std::string folder = fs::path(path).lexically_relative(skill).begin()->string();
  return folder == "templates" || folder == "assets";
}

bool isExecutable(const std::string &file) {
  std::error_code unknown;
  const fs::perms mode = fs::status(file, unknown).permissions();
  constexpr fs::perms run = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  return !unknown && (mode & run) != fs::perms::none;
}

NamedPlace placeOfPath(const fs::path &path, const fs::path &skill) {
  std::error_code ignored;
  const fs::path inside = path.lexically_normal().lexically_relative(skill.lexically_normal());
  NamedPlace place{fs::exists(path, ignored), inside.empty() || *inside.begin() == "..", {}};
  if (place.exists || place.outside) return place;
  const std::string wanted = asciiLowered(path.filename().string());
  std::size_t matching = 0;
  fs::directory_iterator files(path.parent_path(), ignored);
  for (; files != fs::directory_iterator(); files.increment(ignored))
    if (std::string name = files->path().filename().string(); asciiLowered(name) == wanted) {
      ++matching;
      place.inOtherCase = std::move(name);
    }
  if (matching > 1) place.inOtherCase.clear(); // ambiguous
  return place;
}

class Validation {
public:
  Validation(Strictness strictness, const std::string &workingDirectory, const SiteRules &siteRules)
      : strictness_(strictness), workingDirectory_(workingDirectory), siteRules_(siteRules) {}

  void check(const std::string &path, HiddenFolders hidden,
             const std::vector<std::string> &linkTargets) {
    SkillFiles found = findSkillFiles(path, hidden, linkTargets);
    for (const auto &[place, why] : found.unreadable)
      note(place, "unreadable", "cannot be read: " + why, "");
    for (const std::string &place : found.unusableFolders) noteName(place, Severity::Error);
    for (const std::string &place : found.unusableNames) noteName(place, Severity::Warning);
    if (found.documents.empty() && found.unreadable.empty() && found.asText.empty() &&
        found.unusableFolders.empty())
      note(path, "no-skill", "there is no SKILL.md here or below",
           "A skill is a folder with a SKILL.md.");
    if (found.hidden.count() != 0)
      note(path, "hidden-skills", found.hidden.words(),
           "check them with --hidden; a source serves them with hidden: true", Severity::Advice);
    for (const auto &[place, why] : found.passedOver)
      note(place, "link-passed-over", "the link is not followed: " + why,
           "put a copy in its place, or name a folder that holds both", Severity::Warning);
    for (const auto &[place, target] : found.followed)
      note(place, "link-followed", "the link is followed to " + target,
           "whoever may write to the target decides what is served here", Severity::Advice);
    for (const auto &[place, target] : found.asText) noteLinkText(place, target, Severity::Error);
    for (const std::string &place : found.secrets) noteSecret(place);
    for (const std::string &document : found.documents) {
      std::vector<std::string> &files = found.files[document];
      for (const std::string &folder : found.hiddenFolders[document]) {
        std::vector<std::string> inside = filesIn(folder);
        noteHidden(folder, inside);
        std::move(inside.begin(), inside.end(), std::back_inserter(files));
      }
      noteLitter(document, found.litter[document]);
      checkDocument(document, files);
    }
  }

  // Compares the names of all paths together, because one server could serve them all.
  void compareNames() {
    const bool isBasic = strictness_ == Strictness::Basic;
    for (const auto &[name, documents] : names_)
      for (std::size_t i = 1; i < documents.size(); ++i)
        note(documents[i], nameTakenCode,
             "the name \"" + name + "\" is that of " + shown(documents.front()) +
                 " too: a server that has both gives it to one of them, and " +
                 (isBasic ? "by skill_rules: basic does not serve the other"
                          : "serves the other as <source>/<path> alone"),
             "give one of them another name", isBasic ? Severity::Error : Severity::Warning);
  }

  // Does the same for the names of skills that others need.
  void findNeededSkills() {
    for (const auto &[document, name] : neededSkills_)
      if (!names_.contains(name))
        note(document, requirementMissingCode,
             "it needs the skill " + name + ", which is not among those checked here",
             "serve both, or check them together", Severity::Advice);
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
    out.warnings = count(Severity::Warning);
    out.advice = count(Severity::Advice);
    if (form == ReportForm::Sarif) {
      out.text = sarifLog(findings_, siteRules_);
      return out;
    }
    if (form == ReportForm::Json) {
      Json list = Json::array();
      for (const Finding &finding : findings_) list.push_back(findingAsJson(finding));
      out.text = Json({{"skills", skills_},
                       {"errors", out.errors},
                       {"warnings", out.warnings},
                       {"advice", out.advice},
                       {"findings", std::move(list)}})
                     .dump(2) +
                 '\n';
      return out;
    }
    for (const Finding &finding : findings_) out.text += render(finding) + '\n';
    out.text += counted(skills_, "skill") + " checked: " + counted(out.errors, "error") + ", " +
                counted(out.warnings, "warning") + '\n';
    return out;
  }

private:
  std::string shown(const std::string &path) const {
    std::string inside = workingDirectory_;
    if (!inside.ends_with('/')) inside += '/';
    return path.starts_with(inside) ? path.substr(inside.size()) : path;
  }

  void note(const std::string &path, std::string code, std::string message, std::string advice,
            Severity severity = Severity::Error) {
    Finding finding;
    finding.file = shown(path);
    finding.severity = severity;
    finding.code = std::move(code);
    finding.message = std::move(message);
    finding.advice = std::move(advice);
    findings_.push_back(std::move(finding));
  }

  void noteLinkText(const std::string &path, const std::string &target, Severity severity) {
    note(path, "link-as-text",
         "git has written a link to " + target + " as a text, because core.symlinks is false",
         "run git config core.symlinks true and check it out again, or put a copy in its place",
         severity);
  }

  void noteName(const std::string &path, Severity severity) {
    note(path, "name-unusable",
         std::string("the name is not UTF-8, or has control characters or backslashes, so a server "
                     "serves ") +
             (severity == Severity::Error ? "no skill in this folder" : "nothing by it"),
         "give it another name", severity);
  }

  void noteSecret(const std::string &path) {
    note(path, "secret-file", "by its name it holds a secret, so it is no document of the skill",
         "keep it outside of the skill's folder; a file that shows which settings there are is "
         "called .env.example",
         Severity::Warning);
  }

  // `files` are those in the folder.
  void noteHidden(const std::string &folder, const std::vector<std::string> &files) {
    std::error_code unknown;
    if (files.empty() && !fs::is_symlink(folder, unknown)) return;
    const bool isRun = std::any_of(files.begin(), files.end(), [](const std::string &file) {
      return isScript(fs::path(file).filename().string(), isExecutable(file));
    });
    note(folder, "hidden-folder",
         "its name begins with a dot, so what is in it is no document of the skill and in no "
         "review or digest; an agent that is told the skill's folder reaches it there",
         "take it out of the skill, or give it a name without the dot; a source serves such "
         "folders with hidden: true",
         isRun ? Severity::Warning : Severity::Advice);
  }

  // Reports all litter of a skill in one finding, because a script may load code that nobody has
  // reviewed.
  void noteLitter(const std::string &document, const std::vector<std::string> &litter) {
    constexpr std::size_t maxNamed = 8;
    if (litter.empty()) return;
    std::string names;
    const fs::path folder = fs::path(document).parent_path();
    for (std::size_t i = 0; i < std::min(maxNamed, litter.size()); ++i)
      (names += names.empty() ? "" : ", ") +=
          shownLine(fs::path(litter[i]).lexically_relative(folder).string());
    if (litter.size() > maxNamed)
      names += " and " + std::to_string(litter.size() - maxNamed) + " more";
    note(document, "litter",
         "beside it lies what is no document, was not looked through and is in no review or "
         "digest: " +
             names + "; a script that is run there may load code from it",
         "delete it; under rules of trust or a lock, agents get a copy without it",
         Severity::Advice);
  }

  // Returns the sorted files in an ignored folder, without litter and without anything behind a
  // link.
  std::vector<std::string> filesIn(const std::string &folder) {
    std::vector<std::string> files;
    std::error_code error;
    if (fs::is_symlink(folder, error)) return files;
    std::size_t left = 10 * maxFiles; // most entries, including folders
    fs::recursive_directory_iterator at(folder, error);
    for (; !error && at != fs::recursive_directory_iterator() && left != 0; at.increment(error)) {
      --left;
      std::error_code ignored;
      const NameKind kind = kindOfName(at->path().filename().string());
      if (kind == NameKind::Secret) noteSecret(at->path().string());
      if (kind != NameKind::Document && at->is_directory(ignored)) at.disable_recursion_pending();
      if (kind == NameKind::Document && !at->is_symlink(ignored) && at->is_regular_file(ignored))
        files.push_back(at->path().string());
    }
    if (error) note(folder, "unreadable", "cannot be read: " + error.message(), "");
    if (left == 0)
      note(folder, "not-inspected",
           "not every file in it was looked through: it has more than " +
               std::to_string(10 * maxFiles) + " entries",
           "take it out of the skill", Severity::Warning);
    std::sort(files.begin(), files.end());
    return files;
  }

  // Returns nullopt if the file cannot be read, which is then noted.
  std::optional<std::string> read(const std::string &path) {
    std::error_code unknown;
    if (fs::file_size(path, unknown) > maxDocumentBytes && !unknown) {
      note(path, "unreadable", "is larger than " + std::to_string(maxDocumentBytes) + " bytes", "");
      return std::nullopt;
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    if (file.peek() != std::ifstream::traits_type::eof()) content << file.rdbuf();
    if (!file.is_open() || file.bad()) {
      note(path, "unreadable", std::string("cannot be read: ") + std::strerror(errno), "");
      return std::nullopt;
    }
    return std::move(content).str();
  }

  void take(std::vector<Finding> found) {
    std::move(found.begin(), found.end(), std::back_inserter(findings_));
  }

  void checkDocument(const std::string &path, const std::vector<std::string> &files) {
    const std::optional<std::string> document = read(path);
    if (!document) return;
    ++skills_;
    if (looksLikeLinkText(*document)) return noteLinkText(path, *document, Severity::Error);
    if (isLfsPointer(*document))
      return note(path, "lfs-pointer",
                  "it is a pointer of Git LFS, and the file itself is not here",
                  "run git lfs pull, or keep the file in git itself");
    const fs::path folder = fs::path(path).parent_path();
    const std::size_t before = findings_.size();
    take(validateDocument(*document, shown(path), folder.filename().string(), strictness_));
    const std::string name = rememberName(*document, path, folder.filename().string());
    checkText(*document, path, folder, name, Naming::Anywhere);
    inOrder(before);
    std::size_t count = 0;
    std::uintmax_t bytes = 0;
    for (const std::string &file : files) {
      if (file == path) continue;
      std::error_code unknown;
      const std::uintmax_t size = fs::file_size(file, unknown);
      if (unknown) continue;
      if (++count > maxFiles || bytes + std::min(size, maxOtherFileBytes) > maxOtherFilesBytes) {
        note(path, "not-inspected",
             "not every file beside it was looked through: there are more than " +
                 std::to_string(maxFiles) + ", or more than " + std::to_string(maxOtherFilesBytes) +
                 " bytes",
             "split it into several skills", Severity::Warning);
        return;
      }
      checkBeside(file, folder, name, size);
      bytes += std::min(size, maxOtherFileBytes);
    }
  }

  // Remembers the tools' name of the skill. Returns the name that its author wrote, if any.
  std::string rememberName(const std::string &document, const std::string &path,
                           const std::string &folder) {
    const FrontMatterResult parsed = parseFrontMatter(document, path, strictness_);
    if (!parsed.frontMatter) return {};
    for (std::string &needed : requirementsOf(parsed.frontMatter->fields).skills)
      neededSkills_.emplace(path, std::move(needed));
    const Assessment assessed = assess(*parsed.frontMatter, folder, path, strictness_);
    std::error_code unknown;
    const fs::path real = fs::canonical(path, unknown);
    // The same document by another path or link takes no name.
    if (assessed.fields && (unknown || seen_.insert(real).second))
      names_[assessed.fields->toolName].push_back(path);
    return parsed.frontMatter->text("name").value_or(std::string());
  }

  void checkBeside(const std::string &file, const fs::path &skill, const std::string &name,
                   std::uintmax_t size) {
    if (size > maxOtherFileBytes) {
      if (namesText(file))
        note(file, "not-inspected",
             "not looked through: it is larger than " + std::to_string(maxOtherFileBytes) +
                 " bytes",
             "keep large data out of scripts and documents", Severity::Warning);
      return;
    }
    const std::optional<std::string> text = read(file);
    if (!text) return;
    if (looksLikeLinkText(*text)) return noteLinkText(file, *text, Severity::Warning);
    if (isLfsPointer(*text))
      return note(file, "lfs-pointer",
                  "it is a pointer of Git LFS, and the file itself is not here: it is no document",
                  "run git lfs pull, or keep the file in git itself", Severity::Warning);
    const std::size_t before = findings_.size();
    checkText(*text, file, skill, name, Naming::LinksAlone);
    inOrder(before);
  }

  // Sorts the findings of one file, which come from several checks.
  void inOrder(std::size_t from) {
    std::sort(findings_.begin() + static_cast<std::ptrdiff_t>(from), findings_.end(), standsBefore);
  }

  // Checks a text of the skill in the folder `skill`, which its author calls `name`.
  void checkText(const std::string &bytes, const std::string &path, const fs::path &skill,
                 const std::string &name, Naming naming) {
    const std::string folder = skill.filename().string();
    if (path.ends_with(".md") && !isTemplate(path, skill))
      take(findAbsentFiles(readableText(bytes, path), shown(path), naming, {folder, name},
                           [&](const std::string &named) {
                             const NamedPlace beside =
                                 placeOfPath(fs::path(path).parent_path() / named, skill);
                             const NamedPlace below = placeOfPath(skill / named, skill);
                             if (beside.exists != below.exists)
                               return beside.exists ? beside : below;
                             const bool meantBelow =
                                 beside.inOtherCase.empty() && !below.inOtherCase.empty();
                             return beside.outside || meantBelow ? below : beside;
                           }));
    take(inspectFile(bytes, shown(path),
                     isExecutable(path) ? FileMode::Executable : FileMode::Plain, Severity::Warning,
                     siteRules_.rules()));
  }

  Strictness strictness_;
  const std::string &workingDirectory_;
  const SiteRules &siteRules_;
  std::vector<Finding> findings_;
  std::map<std::string, std::vector<std::string>> names_; // the documents by name
  std::set<fs::path> seen_;
  std::multimap<std::string, std::string> neededSkills_; // by document
  std::size_t skills_ = 0;
};

} // namespace

bool ValidationReport::fails(FailOn from) const noexcept {
  switch (from) {
  case FailOn::Never:
    return false;
  case FailOn::Error:
    return errors != 0;
  case FailOn::Warning:
    return errors + warnings != 0;
  case FailOn::Advice:
    break;
  }
  return errors + warnings + advice != 0;
}

ValidationReport validatePaths(const std::vector<std::string> &paths, Strictness strictness,
                               ReportForm form, const std::string &workingDirectory,
                               HiddenFolders hidden, const std::vector<std::string> &linkTargets,
                               const SiteRules &siteRules) {
  Validation validation(strictness, workingDirectory, siteRules);
  for (const std::string &path : paths) validation.check(path, hidden, linkTargets);
  validation.compareNames();
  validation.findNeededSkills();
  return validation.report(form);
}

Result<SiteRules> readSiteRules(const std::string &folder) {
  constexpr std::size_t maxRuleFiles = 256;
  constexpr std::size_t maxRuleFileBytes = 64 << 10U;
  std::error_code problem;
  std::vector<std::string> files;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem))
    if (at->path().extension() == ".rules") files.push_back(at->path().string());
  if (problem)
    return {Fault::NotFound, "the rules in " + folder + " cannot be read: " + problem.message()};
  if (files.empty() || files.size() > maxRuleFiles)
    return {Fault::InvalidInput, folder + " has " + std::to_string(files.size()) +
                                     " files *.rules; 1 to " + std::to_string(maxRuleFiles) +
                                     " are read"};
  std::sort(files.begin(), files.end());
  SiteRules rules;
  for (const std::string &file : files) {
    const Result<std::string> text = readFile(file, maxRuleFileBytes, FileKind::Regular);
    if (!text) return {text.failure().fault, file + ": " + text.failure().message};
    if (const Status added = rules.add(*text, file); !added) return added.failure();
  }
  return rules;
}

} // namespace skillhost::app
