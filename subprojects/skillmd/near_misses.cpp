// SPDX-License-Identifier: Apache-2.0
#include "near_misses.hpp"

#include "front_matter_entries.hpp"
#include "ground/text.hpp"
#include "skillmd/characters.hpp"
#include "value_text.hpp"

#include "skillmd/yaml_advice.hpp"

#include <algorithm>
#include <array>

namespace skillhost {
namespace {

constexpr std::string_view noBreakSpace = "\xC2\xA0", fullWidthColon = "\xEF\xBC\x9A";
constexpr std::string_view twoFields =
    "---\nname: the-folder-name\ndescription: What it does and when to use it.\n---";
// A formatter that joins lines may put these fields behind a name.
constexpr std::array<std::string_view, 7> joinable{"description",  "license",       "allowed-tools",
                                                   "metadata",     "compatibility", "version",
                                                   "argument-hint"};

bool keyByte(char c) noexcept { return letter(c) || digit(c) || c == '_' || c == '-'; }

std::string_view fieldNameAt(std::string_view line) noexcept {
  std::size_t end = 0;
  while (end < line.size() && keyByte(line[end])) ++end;
  return line.substr(0, end);
}

bool passOver(std::string_view &text, std::string_view part) noexcept {
  if (!text.starts_with(part)) return false;
  text.remove_prefix(part.size());
  return true;
}

// A line of front matter that begins with a field.
struct MeantLine {
  std::string_view key, value;
  std::string_view code, message; // the mistake; empty: none
};

std::optional<MeantLine> meantLine(std::string_view line) {
  MeantLine found;
  bool wide = false, odd = false;
  const bool bold = passOver(line, "**");
  found.key = fieldNameAt(line);
  if (found.key.empty()) return std::nullopt;
  line.remove_prefix(found.key.size());
  bool closed = bold && passOver(line, "**");
  while (passOver(line, noBreakSpace)) odd = true;
  if (passOver(line, fullWidthColon))
    wide = true;
  else if (!passOver(line, ":"))
    return std::nullopt;
  if (bold && !closed) closed = passOver(line, "**");
  if (bold && !closed) return std::nullopt;
  for (bool more = true; more;) {
    const bool space = passOver(line, noBreakSpace);
    odd = odd || space;
    more = space || passOver(line, " ");
  }
  found.value = line;
  if (bold) {
    found.code = "yaml-key-bold";
    found.message = "a key is written in bold";
  } else if (odd) {
    found.code = "yaml-no-break-space";
    found.message = "a no-break space stands beside the colon of a key, where YAML needs a space";
  } else if (wide) {
    found.code = "yaml-wide-colon";
    found.message = "a full-width colon stands behind a key";
  }
  return found;
}

// Returns the value of a name with the joined fields on lines of their own; empty: no field
// follows.
std::string separated(std::string_view value) {
  std::vector<std::size_t> cuts;
  for (const std::string_view key : joinable) {
    const std::string field = ' ' + std::string(key) + ": ";
    if (const std::size_t at = value.find(field); at != npos) cuts.push_back(at);
  }
  std::sort(cuts.begin(), cuts.end());
  const std::size_t first = value.find(" description: ");
  if (first == npos || cuts.front() != first || value.find_first_of("\"'") < first) return {};
  std::string out;
  std::size_t from = 0;
  for (const std::size_t cut : cuts) {
    out += value.substr(from, cut - from);
    out += '\n';
    from = cut + 1;
  }
  return out += value.substr(from);
}

class FieldReading {
public:
  FieldReading(const FrontMatterBlock &block, std::string_view file) : block_(block), file_(file) {}

  MeantFields read(std::string_view yaml) {
    for (std::size_t line = 0; !yaml.empty(); ++line) {
      const std::string_view whole = firstLine(yaml);
      yaml.remove_prefix(whole.size());
      readLine(whole, line);
    }
    return std::move(meant_);
  }

private:
  void readLine(std::string_view whole, std::size_t line) {
    const std::string_view text = whole.substr(0, whole.find_last_not_of("\r\n") + 1);
    const std::optional<MeantLine> found = meantLine(text);
    const std::string fields =
        found && found->key == "name" ? separated(found->value) : std::string();
    if (!found || (found->code.empty() && fields.empty())) {
      meant_.yaml += whole;
      return;
    }
    const std::string instead =
        std::string(found->key) + ": " + (fields.empty() ? std::string(found->value) : fields);
    if (fields.empty())
      note(line, found->code, found->message, instead);
    else
      note(line, "yaml-fields-joined", "several fields stand on one line", instead);
    meant_.yaml += instead;
    meant_.yaml += whole.substr(text.size());
  }
  void note(std::size_t line, std::string_view code, std::string_view message,
            const std::string &instead) {
    constexpr std::size_t maxAdviceBytes = 2000;
    if (std::any_of(meant_.findings.begin(), meant_.findings.end(),
                    [&](const Finding &one) { return one.code == code; }))
      return;
    meant_.findings.push_back({Severity::Error, std::string(code), std::string(file_),
                               block_.line + line, 1, std::string(message),
                               instead.size() > maxAdviceBytes ? std::string("write `key: value`")
                                                               : "write:\n" + instead});
  }

  const FrontMatterBlock &block_;
  std::string_view file_;
  MeantFields meant_;
};

// Returns the position of ` #` in a plain one-line value if a word follows at once, as in
// `#channel`; else npos.
std::size_t cutAt(std::string_view value) noexcept {
  if (value.empty() || std::string_view("\"'|>[{&*!#").find(value[0]) != npos) return npos;
  const std::size_t at = value.find(" #");
  const bool word = at != npos && at + 2 < value.size() &&
                    std::string_view(" \t#!\n").find(value[at + 2]) == npos;
  return word ? at : npos;
}

} // namespace

MeantFields fieldsAsMeant(const FrontMatterBlock &block, std::string_view yaml,
                          std::string_view file) {
  MeantFields meant = FieldReading(block, file).read(yaml);
  if (meant.findings.empty()) meant.yaml = yaml;
  return meant;
}

std::optional<Finding> meantAsFrontMatter(std::string_view document, std::string_view file) {
  const std::size_t text = document.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (text == npos) return std::nullopt;
  const std::string_view line = trimmedAsciiSpace(firstLine(document.substr(text)));
  std::string_view message;
  if (line == "+++")
    message = "the front matter is TOML between lines `+++`, and skills have YAML between `---`";
  else if (line.starts_with("```") || line.starts_with("~~~"))
    message = "the front matter stands in a code block";
  else if (const auto found = meantLine(line); found && found->code == "yaml-key-bold")
    message = "the fields are written in bold, without lines `---` around them";
  else
    return std::nullopt;
  return Finding{Severity::Error,
                 "front-matter-missing",
                 std::string(file),
                 1,
                 1,
                 std::string(message),
                 "begin the document with:\n" + std::string(twoFields)};
}

void noteCutValues(const FrontMatterBlock &block, std::string_view file, Strictness strictness,
                   FrontMatter &matter, std::vector<Finding> &findings) {
  if (block.yaml.find(" #") == npos) return; // the usual case
  const std::optional<std::vector<FrontMatterEntry>> entries = cutEntries(block.yaml);
  if (!entries) return;
  for (const FrontMatterEntry &entry : *entries) {
    const auto value = matter.fields.find(entry.key);
    if (value == matter.fields.end() || !value->is_string()) continue;
    const std::string text = valueText(entry);
    const std::string &read = value->get_ref<const std::string &>();
    const std::size_t cut = cutAt(text);
    if (cut == npos || text.compare(0, cut, read) != 0) continue;
    const bool restored = strictness == Strictness::Lenient && entry.key == "description";
    if (restored) matter.described = text;
    const auto offset = static_cast<std::size_t>(entry.first.data() - block.yaml.data());
    Finding finding =
        yamlError(block, file, offset, "yaml-comment",
                  "YAML takes what begins with ` #` for a comment, and ends the value before it" +
                      std::string(restored ? "; it is read as a person reads it" : ""),
                  "write:\n" + std::string(entry.key) + ": " + doubleQuoted(text));
    finding.severity = Severity::Warning;
    findings.push_back(std::move(finding));
  }
}

} // namespace skillhost
