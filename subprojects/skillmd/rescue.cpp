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

std::size_t countBreaks(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Appends empty lines to `text`, which replaces `original`, until it has as many lines. So the
// lines that follow keep their numbers.
std::string withLinesOf(std::string text, std::string_view original) {
  const std::size_t lines = countBreaks(original);
  const std::size_t has = countBreaks(text);
  if (has < lines) text.append(lines - has, '\n');
  return text;
}

bool mentionsCategory(std::string_view text) noexcept {
  constexpr std::string_view word = "category";
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [](char a, char b) { return asciiLowered(a) == b; }) != text.end();
}

// Rewrites the lines below a `key:` that has no value on its own line. If a line is a whole field
// or item and YAML refuses its value (`- "x" in text`, `name: [a`), the value is put in quotation
// marks. All other lines stay as they are.
class NestedLines {
public:
  explicit NestedLines(std::string_view lines) {
    // In a block scalar (`|` or `>`), the minimum indentation of its lines; 0 outside of one.
    std::size_t blockIndent = 0;
    while (!lines.empty()) {
      std::string_view line = firstLine(lines);
      lines.remove_prefix(line.size());
      const std::string_view trimmed = trimmedAsciiSpace(line);
      const std::size_t indent = trimmed.empty() ? 0 : line.find_first_not_of(" \t");
      if (blockIndent != 0 && (trimmed.empty() || indent >= blockIndent)) {
        text_ += line;
        continue;
      }
      const bool beginsBlock = trimmed.ends_with('|') || trimmed.ends_with('>') ||
                               trimmed.ends_with("|-") || trimmed.ends_with(">-");
      blockIndent = beginsBlock ? indent + 1 : 0;
      const std::string_view next = firstLine(lines);
      const std::string_view below = trimmedAsciiSpace(next);
      // The value goes on in the next line, so this line alone says nothing about it.
      const bool isContinued =
          !below.empty() && next.find_first_not_of(" \t") > indent && !beginsBlock;
      if (trimmed.empty() || trimmed[0] == '#' || isContinued || beginsBlock)
        text_ += line;
      else
        addField(line, trimmed);
    }
  }
  const std::string &text() const noexcept { return text_; }

private:
  // Adds a line that is a whole field or item. `trimmed` is a view into `line`.
  void addField(std::string_view line, std::string_view trimmed) {
    std::string_view value = trimmed;
    while (value.starts_with("- ")) value = trimmedAsciiSpace(value.substr(2));
    if (const std::size_t key = keyLength(value); key != 0)
      value = trimmedAsciiSpace(value.substr(key));
    const std::string field = "a: " + std::string(value) + '\n';
    FrontMatterBlock block;
    block.yaml = field;
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

// Rewrites the fields that YAML refuses, one after the other.
class Rescue {
public:
  Rescue(const FrontMatterBlock &block, std::string_view file) : block_(block), file_(file) {}

  // Returns the result of reading `yaml` after the rewriting. It has no front matter and no
  // findings if YAML still refuses it.
  FrontMatterResult run(const std::string &yaml) {
    const std::optional<std::vector<FrontMatterEntry>> entries = cutEntries(yaml);
    if (!entries) return {};
    std::string readable;
    // A category can hide a skill from callers. If a rewritten entry may have named one, the skill
    // must not count as a skill without a category.
    bool isCategoryUnsure = false;
    for (const FrontMatterEntry &entry : *entries) {
      const std::string text = rewrite(entry);
      isCategoryUnsure = isCategoryUnsure || (text != entry.text && mentionsCategory(entry.text));
      readable += text;
    }
    if (!readable.ends_with('\n')) readable += '\n';
    FrontMatterBlock block = block_;
    block.yaml = readable;
    FrontMatterResult result = readStrictly(block, file_);
    if (!result.frontMatter) return {};
    result.frontMatter->mended = true;
    result.frontMatter->isCategoryUnsure = isCategoryUnsure;
    result.findings.insert(result.findings.begin(), findings_.begin(), findings_.end());
    return result;
  }

private:
  // Reads `text` as a front matter of its own, at the place of the entry.
  FrontMatterResult read(const FrontMatterEntry &entry, std::string_view text) const {
    FrontMatterBlock block = block_;
    block.yaml = text;
    block.line = block_.line + entry.line;
    return readStrictly(block, file_);
  }

  // Returns the entry unchanged if YAML reads it, otherwise lines in its place that YAML reads.
  // Tries the smallest change first, and notes each change as a finding.
  std::string rewrite(const FrontMatterEntry &entry) {
    const FrontMatterResult asWritten = read(entry, entry.text);
    if (entry.key.empty()) { // these lines belong to no field
      const bool isComment =
          !asWritten.findings.empty() && asWritten.findings[0].code == "front-matter-empty";
      if (!isComment) note(asWritten, "the lines are left out", "");
      return withLinesOf("", entry.text);
    }
    if (asWritten.frontMatter || !asWritten.mendable || isHalfWritten(entry))
      return std::string(entry.text);

    std::string text = withReadableEscapes(withoutTabs(entry.text));
    if (text != entry.text && read(entry, text).frontMatter) {
      note(asWritten, "it is read as if that were so", "");
      return text;
    }
    if (entry.key != "description") {
      const std::size_t head = firstLine(text).size();
      const std::string nested = withoutProse(text.substr(head));
      text.resize(head);
      text += entry.first.empty() ? NestedLines(nested).text() : nested;
      if (read(entry, text).frontMatter) {
        note(asWritten, "it is read as if that were so", "");
        return withLinesOf(std::move(text), entry.text);
      }
    }
    return quoteValue(entry, asWritten);
  }

  // Returns the entry with its whole value as one text in quotation marks. A map or list that
  // cannot be read is left out.
  std::string quoteValue(const FrontMatterEntry &entry, const FrontMatterResult &asWritten) {
    const std::string key(entry.key);
    if (entry.first.empty() && entry.key != "description") {
      note(asWritten, "the field is left out", "");
      return withLinesOf(key + ":\n", entry.text);
    }
    const std::string line =
        key + ": " + doubleQuoted(entry.first.empty() ? linesText(entry.rest) : valueText(entry));
    note(asWritten, "the value is read as text", line);
    return withLinesOf(line + '\n', entry.text);
  }

  // Returns true if the entry is `name` or `description` and its value is a list or map without its
  // closing bracket: its author is probably still writing.
  static bool isHalfWritten(const FrontMatterEntry &entry) {
    if (entry.key != "name" && entry.key != "description") return false;
    const char opens = entry.first.empty() ? '\0' : entry.first[0];
    return (opens == '[' && entry.text.find(']') == std::string_view::npos) ||
           (opens == '{' && entry.text.find('}') == std::string_view::npos);
  }

  // Empties lines that begin at the first column and are no items of a list. They belong to no
  // field; only a description may contain such lines.
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

  // Adds a warning: why YAML refuses the entry, `action`, which says how it is read, and the advice
  // to write `replacement`.
  void note(const FrontMatterResult &asWritten, std::string_view action,
            const std::string &replacement) {
    if (asWritten.findings.empty() || findings_.size() == maxFindings) return;
    Finding finding = asWritten.findings.front();
    finding.severity = Severity::Warning;
    finding.message += "; ";
    finding.message += action;
    finding.message += ", and the skill is withheld from skills/list";
    constexpr std::size_t maxAdviceBytes = 2000;
    if (!replacement.empty() && replacement.size() <= maxAdviceBytes)
      finding.advice = "write:\n" + replacement;
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
  // Loose front matter has no proper `---` lines around it; see findLooseFrontMatter().
  const bool isLoose = block.state != FrontMatterBlock::State::Closed;
  if (isLoose) block = findLooseFrontMatter(document);
  constexpr std::size_t maxBlockBytes = 64 * 1024; // limit for front matter written by hand
  if (block.state != FrontMatterBlock::State::Closed || block.yaml.size() > maxBlockBytes)
    return refused;
  const std::string readable = withReadableBytes(block.yaml);
  MeantFields corrected = fieldsAsMeant(block, withoutIndent(readable), file);
  if (!corrected.findings.empty() && !refused.nearMiss) {
    refused.findings = std::move(corrected.findings);
    refused.nearMiss = true;
  }
  FrontMatterResult result = Rescue(block, file).run(corrected.yaml);
  if (!result.frontMatter) return refused;
  if (refused.nearMiss && mentionsCategory(readable)) result.frontMatter->isCategoryUnsure = true;
  const bool hasDescription = result.frontMatter->fields.contains("description");
  if (isLoose && !hasDescription) return refused;
  // The ends of loose front matter are a guess, so a category may stand before or behind it.
  if (isLoose && !result.frontMatter->fields.contains("category") &&
      mentionsCategory(document.substr(0, maxBlockBytes)))
    result.frontMatter->isCategoryUnsure = true;
  // The findings of Rescue name each field that it rewrote. If the document as a whole was changed,
  // or no finding of Rescue says why YAML refused it, the first findings are reported, too.
  if (isLoose || readable != block.yaml || refused.nearMiss || result.findings.empty()) {
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
