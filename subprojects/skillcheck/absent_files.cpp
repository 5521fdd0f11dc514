// SPDX-License-Identifier: Apache-2.0
#include "skillcheck/absent_files.hpp"

#include "skillmd/characters.hpp"
#include "skillmd/text_place.hpp"

#include "skillmd/front_matter_block.hpp"
#include "skillmd/naming.hpp"
#include "skillmd/reader_content.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace skillhost {
namespace {

struct NoFiles : SkillFiles {
  bool has(std::string_view) const noexcept override { return false; }
  bool hasFolder(std::string_view) const noexcept override { return false; }
};

// Returns true for `run.py`, but not for `v1.2` or `etc...`.
bool endsAsFile(std::string_view path) noexcept {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == npos || dot == 0 || name.size() - dot < 2 || name.size() - dot > 9) return false;
  return !digit(name[dot + 1]) && name.find("..") == npos;
}

// The most findings for one document, because the search for each place takes time that grows with
// the document.
constexpr std::size_t maxFindings = 100;

bool usualFolder(std::string_view folder) noexcept {
  constexpr std::array<std::string_view, 3> usual{"scripts", "references", "assets"};
  return std::find(usual.begin(), usual.end(), folder) != usual.end();
}

bool hasUsualFolder(std::string_view path) noexcept {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (slash == npos) return false; // the last part is the file
    if (usualFolder(path.substr(0, slash))) return true;
    path.remove_prefix(slash + 1);
  }
  return false;
}

// Returns true if the path has a placeholder for a name of the reader's own.
bool placeholder(std::string_view path) noexcept {
  constexpr std::array<std::string_view, 7> words{"...", "path/to", "your",      "example",
                                                  "foo", "xxx",     "etc/passwd"};
  return path.find_first_of("<>{}$*%|\\\"' ,") != npos ||
         std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return path.find(word) != npos; });
}

std::vector<std::string_view> segmentsOf(std::string_view path) {
  std::vector<std::string_view> all;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view one = path.substr(0, slash);
    path.remove_prefix(slash == npos ? path.size() : slash + 1);
    if (!one.empty() && one != ".") all.push_back(one);
  }
  return all;
}

// Returns true for a path such as ../a/b. A path such as ../.. names no file or folder above.
bool leadsAbove(std::string_view path) {
  const std::vector<std::string_view> all = segmentsOf(path);
  return !all.empty() && all.front() == ".." && letter(all.back().front());
}

// Returns OTHER for .claude/skills/OTHER/x and for the folders of other agents, or else an empty
// text.
std::string_view skillBelowHome(std::string_view path) {
  const std::vector<std::string_view> all = segmentsOf(path);
  if (all.empty() || all.front().front() != '.') return {};
  const auto skills = std::find(all.begin(), all.end(), "skills");
  return all.end() - skills > 2 ? *(skills + 1) : std::string_view{};
}

// Returns true for a placeholder of a name that the reader will choose.
bool isExampleName(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 5> words{"my-", "name", "NAME", "some-", "new-"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.find(word) != npos; });
}

using Look = std::function<NamedPlace(const std::string &)>;

class AbsentFiles {
public:
  AbsentFiles(std::string_view document, std::string_view file, Naming naming, SkillNames names,
              const Look &look)
      : document_(document), file_(file), naming_(naming), names_(names), look_(look) {}

  void check(AbsentPath absent) {
    std::string path(absent.path);
    if (path.find('%') != std::string::npos) path = decodePath(path).value_or(path);
    std::replace(path.begin(), path.end(), '\\', '/');
    while (path.starts_with("./")) path.erase(0, 2);
    if (placeholder(path) || told_.size() == maxFindings) return;
    if (absent.below == FolderPrefix::Of::Home) return checkOfHome(absent, path);
    const bool isAboveSkill = naming_ == Naming::Anywhere && !absent.link &&
                              absent.below == FolderPrefix::Of::Nothing && leadsAbove(path);
    if (!endsAsFile(path) && (!isAboveSkill || absent.fenced)) return;
    if (absent.below == FolderPrefix::Of::Plugin) return checkOfPlugin(absent, path);
    const std::string first = path.substr(0, std::min(path.find('/'), path.size()));
    const bool up = first == "..";
    if (!absent.link && (naming_ == Naming::LinksAlone || first == path ||
                         (!up && !usualFolder(first) && !look_(first).exists)))
      return;
    const std::size_t offset = offsetOf(absent.path);
    // A placeholder or a glob continues where the word ends.
    const std::size_t end = offset + absent.path.size();
    if (!absent.link && end < document_.size() &&
        std::string_view("<{*[$").find(document_[end]) != npos)
      return;
    const NamedPlace place = look_(path);
    if (place.outside &&
        (place.exists || absent.link || (isAboveSkill && (!absent.fenced || hasUsualFolder(path)))))
      return addLeaving(offset, '`' + path.substr(0, 200) + '`');
    if (place.exists || (up && !absent.link)) return;
    add(offset, path, "file-missing",
        '`' + path.substr(0, 200) + "` is named here, and there is no such file",
        place.inOtherCase.empty()
            ? "add the file, or correct the path: it is relative to the skill's folder"
            : "did you mean `" + place.inOtherCase + "`? The case of letters counts");
  }
  std::vector<Finding> take() { return std::move(findings_); }

private:
  std::size_t offsetOf(std::string_view part) const noexcept {
    return static_cast<std::size_t>(part.data() - document_.data());
  }
  void checkOfHome(AbsentPath absent, const std::string &path) {
    const std::string_view other = skillBelowHome(path);
    if (other.empty() || other == names_.folder || other == names_.name || isExampleName(other))
      return;
    addLeaving(offsetOf(absent.path),
               "`~/" + path.substr(0, 200) + "` of the skill `" + std::string(other) + '`');
  }
  void checkOfPlugin(AbsentPath absent, const std::string &path) {
    const auto all = pathsBelowSkill(path, FolderPrefix::Of::Plugin, names_);
    const bool inside = std::any_of(all.begin(), all.end(), [&](const std::string &one) {
      const NamedPlace place = look_(one);
      return place.exists && !place.outside;
    });
    if (!inside) addLeaving(offsetOf(absent.path), '`' + path.substr(0, 200) + "` of the plugin");
  }
  void addLeaving(std::size_t offset, const std::string &what) {
    add(offset, what, "path-leaves-skill",
        what + " lies outside of the skill's folder: it is not served with the skill",
        "put the file into the skill's folder, and name it relative to that");
  }
  void add(std::size_t offset, const std::string &path, const char *code, std::string message,
           std::string advice) {
    if (!told_.insert(path).second) return;
    Finding finding = placeOf(document_, file_, offset);
    finding.severity = Severity::Warning;
    finding.code = code;
    finding.message = std::move(message);
    if (told_.size() == maxFindings)
      finding.message += "; further ones of this document are not named";
    finding.advice = std::move(advice);
    findings_.push_back(std::move(finding));
  }

  const std::string_view document_, file_;
  const Naming naming_;
  const SkillNames names_;
  const Look &look_;
  std::vector<Finding> findings_;
  std::set<std::string, std::less<>> told_;
};

} // namespace

std::vector<Finding> findAbsentFiles(std::string_view document, std::string_view file,
                                     Naming naming, SkillNames names, const Look &look) {
  AbsentFiles absent(document, file, naming, names, look);
  const NoFiles none;
  const ReaderContext context{.style = PathStyle::Absolute,
                              .skillFolder = "/skill",
                              .skillUri = "",
                              .projectRoot = "",
                              .projectHas = {},
                              .files = none,
                              .absent = [&](AbsentPath path) { absent.check(path); }};
  renderForReader(document, findFrontMatter(document).bodyOffset, context);
  return absent.take();
}

} // namespace skillhost
