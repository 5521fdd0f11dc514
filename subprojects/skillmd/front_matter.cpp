// SPDX-License-Identifier: Apache-2.0
#include "skillmd/front_matter.hpp"

#include "near_misses.hpp"
#include "rescue.hpp"
#include "strict_front_matter.hpp"

#include "ground/utf8.hpp"
#include "skillmd/front_matter_block.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view example = "begin the document with:\n---\nname: the-folder-name\n"
                                     "description: What it does and when to use it.\n---";

Finding whole(std::string_view file, std::string_view code, std::string_view message,
              std::string_view advice) {
  return {Severity::Error,      std::string(code),  std::string(file), 1, 1,
          std::string(message), std::string(advice)};
}

Finding missing(std::string_view document, std::string_view file) {
  if (document.empty()) return whole(file, "document-empty", "the document is empty", example);
  if (auto meant = meantAsFrontMatter(document, file)) return *std::move(meant);
  if (document.substr(0, 512).find('\0') != std::string_view::npos)
    return whole(file, "document-binary", "this is not text: it holds NUL bytes",
                 "save it as UTF-8 text");
  const std::size_t text = document.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (text != std::string_view::npos && text > 0 && document.substr(text, 3) == "---")
    return whole(file, "front-matter-missing", "`---` is not at the very start of the document",
                 "remove what stands before the first `---`");
  return whole(file, "front-matter-missing", "the document has no front matter", example);
}

FrontMatterResult readAsWritten(std::string_view document, std::string_view file,
                                Strictness strictness) {
  const FrontMatterBlock block = findFrontMatter(document);
  if (block.state == FrontMatterBlock::State::Missing)
    return FrontMatterResult::refused(missing(document, file), true);
  if (block.state == FrontMatterBlock::State::Unclosed)
    return FrontMatterResult::refused(whole(file, "front-matter-unclosed",
                                            "the front matter is not closed",
                                            "put a line `---` after the last field"),
                                      true);
  FrontMatterResult result = readStrictly(block, file);
  if (result.frontMatter) {
    noteCutValues(block, file, strictness, *result.frontMatter, result.findings);
  } else if (MeantFields meant = fieldsAsMeant(block, block.yaml, file);
             !meant.findings.empty() &&
             (result.mendable || result.findings[0].code == "front-matter-not-a-mapping")) {
    // The advice about YAML's own complaint would be wrong.
    result.findings = std::move(meant.findings);
    result.nearMiss = result.mendable = true;
  }
  return result;
}

void noteUtf16(std::string_view file, Strictness strictness, FrontMatterResult &result) {
  if (strictness != Strictness::Lenient) {
    result = FrontMatterResult::refused(
        whole(file, "encoding-utf16", "the document is UTF-16", "save the file as UTF-8"), false);
    return;
  }
  result.findings.insert(
      result.findings.begin(),
      {Severity::Warning, "encoding-utf16", std::string(file), 1, 1,
       "the document is UTF-16: it is read, and the skill is withheld from skills/list",
       "save the file as UTF-8"});
  if (result.frontMatter) result.frontMatter->mended = true;
}

} // namespace

Place FrontMatter::placeOf(std::string_view key) const noexcept {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key &each) { return each.name == key; });
  return found == keys.end() ? Place{} : found->place;
}

std::optional<std::string> FrontMatter::text(std::string_view path) const {
  for (const Written &each : written)
    if (each.path == path) return each.text;
  const Json *value = &fields;
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t slash = rest.find('/');
    const std::string_view step = rest.substr(0, slash);
    if (!value->is_object()) return std::nullopt;
    const auto found = value->find(step);
    if (found == value->end()) return std::nullopt;
    value = &*found;
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
  }
  if (value->is_string()) return value->get<std::string>();
  if (value->is_number() || value->is_boolean()) return value->dump();
  return std::nullopt;
}

FrontMatterResult parseFrontMatter(std::string_view document, std::string_view file,
                                   Strictness strictness) {
  std::string room;
  const std::string_view text = withoutUtf16(document, room);
  FrontMatterResult result = readAsWritten(text, file, strictness);
  if (strictness == Strictness::Lenient && !result.frontMatter && result.mendable)
    result = rescueFrontMatter(text, file, std::move(result));
  if (!room.empty()) noteUtf16(file, strictness, result);
  return result;
}

} // namespace skillhost
