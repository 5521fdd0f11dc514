// SPDX-License-Identifier: Apache-2.0
#include "skills/absent_files.hpp"

#include "characters.hpp"
#include "text_place.hpp"

#include "skills/front_matter_block.hpp"
#include "skills/naming.hpp"
#include "skills/reader_content.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace skillhost {
namespace {

struct NoFiles : SkillFiles {
  bool has(std::string_view) const noexcept override { return false; }
  bool hasFolder(std::string_view) const noexcept override { return false; }
};

// `run.py`, but neither `v1.2` nor `etc...`.
bool endsAsFile(std::string_view path) noexcept {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == npos || dot == 0 || name.size() - dot < 2 || name.size() - dot > 9) return false;
  return !digit(name[dot + 1]) && name.find("..") == npos;
}

// Of one document: to find the place of each takes time that grows with the document.
constexpr std::size_t mostTold = 100;

bool usualFolder(std::string_view folder) noexcept {
  constexpr std::array<std::string_view, 3> usual{"scripts", "references", "assets"};
  return std::find(usual.begin(), usual.end(), folder) != usual.end();
}

// What an author writes where a name of the reader's own goes.
bool placeholder(std::string_view path) noexcept {
  constexpr std::array<std::string_view, 6> words{"...",     "path/to", "your",
                                                  "example", "foo",     "xxx"};
  return path.find_first_of("<>{}$*%|\\\"' ,") != npos ||
         std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return path.find(word) != npos; });
}

} // namespace

std::vector<Finding> findAbsentFiles(std::string_view document, std::string_view file,
                                     Naming naming,
                                     const std::function<bool(const std::string &)> &has) {
  std::vector<Finding> findings;
  std::set<std::string, std::less<>> told;
  const NoFiles none;
  const auto look = [&](AbsentPath absent) {
    std::string path(absent.path);
    if (path.find('%') != std::string::npos) path = decodePath(path).value_or(path);
    while (path.starts_with("./")) path.erase(0, 2);
    if (placeholder(path) || !endsAsFile(path)) return;
    const std::string folder = path.substr(0, std::min(path.find('/'), path.size()));
    if (!absent.link && (naming == Naming::LinksAlone || folder == path || folder == ".." ||
                         (!usualFolder(folder) && !has(folder))))
      return;
    const std::size_t offset = static_cast<std::size_t>(absent.path.data() - document.data());
    // A placeholder or a glob goes on where the word ends.
    const std::size_t end = offset + absent.path.size();
    if (!absent.link && end < document.size() &&
        std::string_view("<{*[$").find(document[end]) != npos)
      return;
    if (told.size() == mostTold || has(path) || !told.insert(path).second) return;
    Finding finding = placeOf(document, file, offset);
    finding.severity = Severity::Warning;
    finding.code = "file-missing";
    finding.message = "`" + path.substr(0, 200) + "` is named here, and there is no such file";
    if (told.size() == mostTold) finding.message += "; further ones of this document are not named";
    finding.advice = "add the file, or correct the path: it is relative to the skill's folder";
    findings.push_back(std::move(finding));
  };
  const ReaderContext context{.style = PathStyle::Absolute,
                              .skillFolder = "/skill",
                              .skillUri = "",
                              .projectRoot = "",
                              .projectHas = {},
                              .files = none,
                              .absent = look};
  renderForReader(document, findFrontMatter(document).bodyOffset, context);
  return findings;
}

} // namespace skillhost
