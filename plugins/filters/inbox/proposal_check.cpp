// SPDX-License-Identifier: Apache-2.0
#include "inbox/proposal_check.hpp"

#include "base/document_path.hpp"
#include "ground/document_names.hpp"
#include "ground/text.hpp"
#include "skillcheck/absent_files.hpp"
#include "skillcheck/inspect_file.hpp"
#include "skillcheck/inspect_text.hpp"
#include "skillmd/front_matter.hpp"
#include "skillmd/name_rules.hpp"
#include "skillmd/slug.hpp"
#include "skillmd/validate.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace skillhost::inbox {
namespace {

constexpr std::string_view entryName = "SKILL.md";
constexpr std::size_t maxPartBytes = 255, maxParts = 16; // of a path: what file systems accept

Status refuse(std::string why) { return Failure{Fault::InvalidInput, std::move(why)}; }

std::vector<std::string_view> partsOf(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// Returns the folders above the path: "a" and "a/b" for "a/b/c".
std::vector<std::string> foldersOf(const std::string &path) {
  std::vector<std::string> folders;
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1))
    folders.push_back(path.substr(0, at));
  return folders;
}

bool isEntryInAnyCase(std::string_view path) {
  return sameText(path.substr(path.rfind('/') + 1), entryName);
}

// Says where a path that a document names leads, without a file system.
NamedPlace placeOf(const Files &files, std::string_view folder, const std::string &named) {
  const std::filesystem::path joined =
      (std::filesystem::path(folder) / named).lexically_normal().relative_path();
  std::string path = joined.generic_string();
  while (path.ends_with('/')) path.pop_back();
  const bool isOutside = joined.begin() != joined.end() && *joined.begin() == "..";
  const auto next = files.lower_bound(path + '/');
  const bool isFolder = next != files.end() && next->first.starts_with(path + '/');
  NamedPlace place{path.empty() || path == "." || isFolder || files.contains(path), isOutside, {}};
  if (place.exists || place.outside) return place;
  std::size_t matching = 0;
  for (const auto &[other, file] : files)
    if (sameText(other, path)) {
      ++matching;
      place.inOtherCase = other.substr(other.rfind('/') + 1);
    }
  if (matching > 1) place.inOtherCase.clear(); // ambiguous
  return place;
}

class ContentCheck {
public:
  ContentCheck(const std::string &name, const Files &files) : name_(name), files_(files) {}

  void check(const std::string &path, const File &file) {
    const bool isEntry = path == entryName;
    if (isLfsPointer(file.bytes))
      return note(path, "lfs-pointer",
                  "it is a pointer of Git LFS, and the file itself is not here",
                  "propose the file itself");
    if (looksLikeLinkText(file.bytes))
      return note(path, "link-as-text",
                  "its text is that of a link which git has written as a file",
                  "propose a copy of the file in its place");
    const bool isTemplate = path.starts_with("templates/") || path.starts_with("assets/");
    if (path.ends_with(".md") && !isTemplate)
      take(findAbsentFiles(
          readableText(file.bytes, path), path, isEntry ? Naming::Anywhere : Naming::LinksAlone,
          {name_, name_}, [&](const std::string &named) {
            const std::size_t slash = path.rfind('/');
            const std::string_view folder =
                std::string_view(path).substr(0, slash == std::string::npos ? 0 : slash);
            const NamedPlace beside = placeOf(files_, folder, named);
            const NamedPlace below = placeOf(files_, "", named);
            if (beside.exists != below.exists) return beside.exists ? beside : below;
            const bool meantBelow = beside.inOtherCase.empty() && !below.inOtherCase.empty();
            return beside.outside || meantBelow ? below : beside;
          }));
    take(inspectFile(file.bytes, path, file.executable ? FileMode::Executable : FileMode::Plain,
                     Severity::Error));
  }

  void take(std::vector<Finding> found) {
    std::move(found.begin(), found.end(), std::back_inserter(findings_));
  }

  std::vector<Finding> sorted() && {
    std::stable_sort(findings_.begin(), findings_.end(),
                     [](const Finding &a, const Finding &b) { return a.severity < b.severity; });
    return std::move(findings_);
  }

private:
  void note(const std::string &path, std::string code, std::string message, std::string advice) {
    findings_.push_back(
        {Severity::Error, std::move(code), path, 0, 0, std::move(message), std::move(advice)});
  }

  const std::string &name_;
  const Files &files_;
  std::vector<Finding> findings_;
};

} // namespace

Status checkPath(const std::string &path) {
  if (const std::string_view fault = faultInDocumentPath(path); !fault.empty())
    return refuse(std::string(fault));
  const std::vector<std::string_view> parts = partsOf(path);
  if (parts.size() > maxParts)
    return refuse("has more than " + std::to_string(maxParts) + " parts");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    if (part.size() > maxPartBytes)
      return refuse("has a part of more than " + std::to_string(maxPartBytes) + " bytes");
    if (kindOfName(part) == NameKind::Secret)
      return refuse("has a name that belongs to a secret: leave the file out");
    if (kindOfName(part) == NameKind::Litter)
      return refuse("is a file that a tool has made: leave it out");
    // As in a source, a file may have such a name.
    if (part.starts_with('.') && i + 1 < parts.size())
      return refuse("has a folder that begins with a dot: such folders are hidden");
  }
  return Done{};
}

Status checkForm(const std::string &name, const Files &files, const ContentLimits &limits) {
  if (const std::string_view broken = brokenNameRule(name); !broken.empty())
    return refuse("the name of a skill has 1 to 64 lower-case letters, digits and hyphens; of "
                  "this one, " +
                  std::string(broken));
  if (files.size() > limits.files)
    return refuse(std::to_string(files.size()) + " files are more than the limit of " +
                  std::to_string(limits.files) + " for a proposal");
  std::size_t bytes = 0;
  std::set<std::string> folded, folders;
  for (const auto &[path, file] : files) {
    if (const Status good = checkPath(path); !good)
      return refuse("the path \"" + path + "\" " + good.failure().message);
    bytes += file.bytes.size();
    if (isEntryInAnyCase(path) && path != entryName)
      return refuse("the path \"" + path +
                    "\" is that of another skill: a proposal has one SKILL.md, at its top");
    if (!folded.insert(foldedName(path)).second)
      return refuse("the path \"" + path +
                    "\" differs from another one only in case or in the form of its letters");
    for (std::string &folder : foldersOf(path)) folders.insert(foldedName(folder));
  }
  for (const std::string &folder : folders)
    if (folded.contains(folder))
      return refuse("the path \"" + folder + "\" is that of a file and of a folder");
  if (bytes > limits.bytes)
    return refuse(std::to_string(bytes) + " bytes are more than the limit of " +
                  std::to_string(limits.bytes) + " for a proposal");
  if (!files.contains(std::string(entryName))) return refuse("the file SKILL.md is missing");
  return Done{};
}

std::vector<Finding> findingsIn(const std::string &name, const Files &files,
                                Strictness strictness) {
  ContentCheck check(name, files);
  const std::string &document = files.at(std::string(entryName)).bytes;
  check.take(validateDocument(document, entryName, name, strictness));
  const FrontMatterResult parsed = parseFrontMatter(document, entryName, strictness);
  const std::string written =
      parsed.frontMatter ? parsed.frontMatter->text("name").value_or("") : name;
  // Otherwise a proposal could claim the name of another skill.
  if (written != name)
    check.take({{Severity::Error, "name-folder-mismatch", std::string(entryName), 0, 0,
                 "the front matter has another name than the proposal, \"" + written + '"',
                 "write name: " + name}});
  for (const auto &[path, file] : files) check.check(path, file);
  return std::move(check).sorted();
}

} // namespace skillhost::inbox
