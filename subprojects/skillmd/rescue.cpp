// SPDX-License-Identifier: Apache-2.0
#include "rescue.hpp"

#include "front_matter_entries.hpp"
#include "ground/text.hpp"
#include "near_misses.hpp"
#include "strict_front_matter.hpp"
#include "value_text.hpp"

#include "skillmd/front_matter_block.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxFindings = 10;

std::size_t breaksIn(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Appends empty lines, so that the following lines keep their numbers.
std::string filledUp(std::string text, std::string_view instead) {
  const std::size_t lines = breaksIn(instead);
  const std::size_t has = breaksIn(text);
  if (has < lines) text.append(lines - has, '\n');
  return text;
}

bool mentionsCategory(std::string_view text) noexcept {
  constexpr std::string_view word = "category";
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [](char a, char b) { return asciiLowered(a) == b; }) != text.end();
}

// Puts quotes around each line below `key:` that is a field or an item of its own and cannot be
// read.
class NestedLines {
public:
  explicit NestedLines(std::string_view lines) {
    for (std::size_t inBlockBelow = 0; !lines.empty();) {
      std::string_view line = firstLine(lines);
      lines.remove_prefix(line.size());
      const std::string_view shown = trimmedAsciiSpace(line);
      const std::size_t indent = shown.empty() ? 0 : line.find_first_not_of(" \t");
      if (inBlockBelow != 0 && (shown.empty() || indent >= inBlockBelow)) {
        text_ += line;
        continue;
      }
      inBlockBelow = shown.ends_with('|') || shown.ends_with('>') || shown.ends_with("|-") ||
                             shown.ends_with(">-")
                         ? indent + 1
                         : 0;
      const std::string_view next = firstLine(lines);
      const std::string_view below = trimmedAsciiSpace(next);
      const bool continued =
          !below.empty() && next.find_first_not_of(" \t") > indent && inBlockBelow == 0;
      if (shown.empty() || shown[0] == '#' || continued || inBlockBelow != 0)
        text_ += line;
      else
        add(line, shown);
    }
  }
  const std::string &text() const noexcept { return text_; }

private:
  void add(std::string_view line, std::string_view shown) {
    std::string_view value = shown;
    while (value.starts_with("- ")) value = trimmedAsciiSpace(value.substr(2));
    if (const std::size_t key = keyLength(value); key != 0)
      value = trimmedAsciiSpace(value.substr(key));
    const std::string alone = "a: " + std::string(value) + '\n';
    FrontMatterBlock block;
    block.yaml = alone;
    if (value.empty() || readStrictly(block, {}).frontMatter) {
      text_ += line;
      return;
    }
    FrontMatterEntry entry;
    entry.first = value;
    text_ += line.substr(0, static_cast<std::size_t>(value.data() - line.data()));
    text_ += doubleQuoted(valueText(entry)) + '\n';
  }

  std::string text_;
};

class Rescue {
public:
  Rescue(const FrontMatterBlock &block, std::string_view file) : block_(block), file_(file) {}

  FrontMatterResult run(const std::string &yaml) {
    const std::optional<std::vector<FrontMatterEntry>> entries = cutEntries(yaml);
    if (!entries) return {};
    std::string mended;
    bool unsure = false;
    for (const FrontMatterEntry &entry : *entries) {
      const std::string text = rewritten(entry);
      unsure = unsure || (text != entry.text && mentionsCategory(entry.text));
      mended += text;
    }
    if (!mended.ends_with('\n')) mended += '\n';
    FrontMatterBlock block = block_;
    block.yaml = mended;
    FrontMatterResult result = readStrictly(block, file_);
    if (!result.frontMatter) return {};
    result.frontMatter->mended = true;
    result.frontMatter->categoryUnsure = unsure;
    result.findings.insert(result.findings.begin(), findings_.begin(), findings_.end());
    return result;
  }

private:
  // Returns the result of reading `text` in place of the entry.
  FrontMatterResult read(const FrontMatterEntry &entry, std::string_view text) const {
    FrontMatterBlock block = block_;
    block.yaml = text;
    block.line = block_.line + entry.line;
    return readStrictly(block, file_);
  }

  std::string rewritten(const FrontMatterEntry &entry) {
    if (entry.key.empty()) { // these lines belong to no field
      FrontMatterResult alone = read(entry, entry.text);
      const bool comment =
          !alone.findings.empty() && alone.findings[0].code == "front-matter-empty";
      if (!comment) note(alone, "the lines are left out", "");
      return filledUp("", entry.text);
    }
    const FrontMatterResult alone = read(entry, entry.text);
    if (alone.frontMatter || !alone.mendable || halfWritten(entry)) return std::string(entry.text);

    std::string text = withReadableEscapes(withoutTabs(entry.text));
    if (text != entry.text && read(entry, text).frontMatter) {
      note(alone, "it is read as if that were so", "");
      return text;
    }
    if (entry.key != "description") {
      const std::size_t head = firstLine(text).size();
      const std::string nested = withoutProse(text.substr(head));
      text.resize(head);
      text += entry.first.empty() ? NestedLines(nested).text() : nested;
      if (read(entry, text).frontMatter) {
        note(alone, "it is read as if that were so", "");
        return filledUp(std::move(text), entry.text);
      }
    }
    return asText(entry, alone);
  }

  std::string asText(const FrontMatterEntry &entry, const FrontMatterResult &alone) {
    const std::string key(entry.key);
    if (entry.first.empty() && entry.key != "description") {
      note(alone, "the field is left out", "");
      return filledUp(key + ":\n", entry.text);
    }
    const std::string line =
        key + ": " + doubleQuoted(entry.first.empty() ? linesText(entry.rest) : valueText(entry));
    note(alone, "the value is read as text", line);
    return filledUp(line + '\n', entry.text);
  }

  // Returns true for a list or map that is not closed yet, because its author is still writing.
  static bool halfWritten(const FrontMatterEntry &entry) {
    if (entry.key != "name" && entry.key != "description") return false;
    const char opens = entry.first.empty() ? '\0' : entry.first[0];
    return (opens == '[' && entry.text.find(']') == std::string_view::npos) ||
           (opens == '{' && entry.text.find('}') == std::string_view::npos);
  }

  // Removes lines at the first column that are no fields. Only a description may contain such
  // lines.
  static std::string withoutProse(std::string_view lines) {
    std::string out;
    while (!lines.empty()) {
      const std::string_view line = firstLine(lines);
      lines.remove_prefix(line.size());
      const bool kept = std::string_view(" \t\r\n").find(line[0]) != std::string_view::npos ||
                        line.starts_with("- ");
      out += kept ? line : std::string_view("\n");
    }
    return out;
  }

  void note(const FrontMatterResult &alone, std::string_view what, const std::string &instead) {
    if (alone.findings.empty() || findings_.size() == maxFindings) return;
    Finding finding = alone.findings.front();
    finding.severity = Severity::Warning;
    finding.message += "; ";
    finding.message += what;
    finding.message += ", and the skill is withheld from skills/list";
    constexpr std::size_t maxAdviceBytes = 2000;
    if (!instead.empty() && instead.size() <= maxAdviceBytes) finding.advice = "write:\n" + instead;
    findings_.push_back(std::move(finding));
  }

  const FrontMatterBlock &block_;
  std::string_view file_;
  std::vector<Finding> findings_;
};

} // namespace

FrontMatterResult rescueFrontMatter(std::string_view document, std::string_view file,
                                    FrontMatterResult refused) {
  FrontMatterBlock block = findFrontMatter(document);
  const bool loose = block.state != FrontMatterBlock::State::Closed;
  if (loose) block = findLooseFrontMatter(document);
  constexpr std::size_t maxBlockBytes = 64 * 1024; // limit for front matter written by hand
  if (block.state != FrontMatterBlock::State::Closed || block.yaml.size() > maxBlockBytes)
    return refused;
  const std::string readable = withReadableBytes(block.yaml);
  MeantFields meant = fieldsAsMeant(block, withoutIndent(readable), file);
  if (!meant.findings.empty() && !refused.nearMiss) {
    refused.findings = std::move(meant.findings);
    refused.nearMiss = true;
  }
  FrontMatterResult result = Rescue(block, file).run(meant.yaml);
  if (!result.frontMatter) return refused;
  if (refused.nearMiss && mentionsCategory(readable)) result.frontMatter->categoryUnsure = true;
  const bool described = result.frontMatter->fields.contains("description");
  if (loose && !described) return refused;
  // The end of such a block is a guess, so a category may stand before or behind it.
  if (loose && !result.frontMatter->fields.contains("category") &&
      mentionsCategory(document.substr(0, maxBlockBytes)))
    result.frontMatter->categoryUnsure = true;
  if (loose || readable != block.yaml || refused.nearMiss || result.findings.empty()) {
    for (Finding &finding : refused.findings) {
      finding.severity = Severity::Warning;
      finding.message += "; it is read as far as that is clear, and the skill is withheld from "
                         "skills/list";
    }
    result.findings.insert(result.findings.begin(), refused.findings.begin(),
                           refused.findings.end());
  }
  noteCutValues(block, file, Strictness::Lenient, *result.frontMatter, result.findings);
  return result;
}

} // namespace skillhost
