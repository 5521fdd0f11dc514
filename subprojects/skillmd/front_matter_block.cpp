// SPDX-License-Identifier: Apache-2.0
#include "skillmd/front_matter_block.hpp"

#include "front_matter_entries.hpp"
#include "ground/text.hpp"

namespace skillhost {
namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

// Returns the length of the byte order marks at the start. There may be several, because some
// editors add one to one.
std::size_t byteOrderMarks(std::string_view document) noexcept {
  std::size_t end = 0;
  while (document.substr(end).starts_with(byteOrderMark)) end += byteOrderMark.size();
  return end;
}

// Returns the length of a delimiter line at `at` with its line break, or 0.
std::size_t delimiterLength(std::string_view document, std::size_t at) noexcept {
  if (document.substr(at, 3) != "---") return 0;
  std::size_t end = at + 3;
  while (end < document.size() && (document[end] == ' ' || document[end] == '\t')) ++end;
  if (end < document.size() && document[end] == '\r') ++end;
  if (end == document.size()) return end - at;
  return document[end] == '\n' ? end + 1 - at : 0;
}

// Reads the lines of a document one after another.
class LooseReader {
public:
  explicit LooseReader(std::string_view document)
      : document_(document), at_(byteOrderMarks(document)),
        opens_(delimiterLength(document, at_) != 0) {}

  FrontMatterBlock find() {
    FrontMatterBlock block;
    if (!opened(block)) return block;
    for (std::size_t lines = 0; lines < maxLines && at_ < document_.size(); ++lines) {
      const std::size_t dashes = dashesOf(shown());
      if (dashes != 0) {
        const std::string_view after = trimmedAsciiSpace(shown().substr(dashes));
        closeAt(block, after.empty() ? next() : offsetOf(after));
        return block;
      }
      if (beginsBody()) {
        closeAt(block, at_);
        return block;
      }
      blank_ = shown().empty();
      at_ = next();
    }
    return block;
  }

private:
  static constexpr std::size_t maxLines = 1000, maxLinesBefore = 20;

  std::string_view line() const noexcept { return firstLine(document_.substr(at_)); }
  std::string_view shown() const noexcept { return trimmedAsciiSpace(line()); }
  std::size_t next() const noexcept { return at_ + line().size(); }
  std::size_t offsetOf(std::string_view part) const noexcept {
    return static_cast<std::size_t>(part.data() - document_.data());
  }
  // Returns the length of three or more dashes, and of the no-break space that some editors add.
  static std::size_t dashesOf(std::string_view text) noexcept {
    if (!text.starts_with("---")) return 0;
    std::size_t end = text.find_first_not_of('-');
    if (end == std::string_view::npos) end = text.size();
    if (text.substr(end).starts_with("\xC2\xA0")) end += 2;
    return end;
  }
  // Returns true if the line opens a block of code that contains only the front matter.
  static bool opensCode(std::string_view text) noexcept {
    return text == "```yaml" || text == "```yml" || text == "```";
  }
  static bool skillField(std::string_view text) noexcept {
    const std::size_t length = keyLength(text);
    const std::string_view key = text.substr(0, length);
    return key.find("name") != std::string_view::npos ||
           key.find("description") != std::string_view::npos;
  }
  // Moves behind the line that opens the front matter, or to its first field.
  bool opened(FrontMatterBlock &block) noexcept {
    bool dashes = false;
    for (std::size_t lines = 1; lines <= maxLinesBefore && at_ < document_.size(); ++lines) {
      const bool field = opens_ && dashes ? keyLength(shown()) != 0 : skillField(shown());
      if (field && (dashes || !text_)) {
        block.offset = at_;
        block.line = lines;
        return true;
      }
      if (!shown().empty()) {
        dashes = dashesOf(shown()) == shown().size() || (!text_ && opensCode(shown()));
        text_ = text_ || !dashes;
      }
      at_ = next();
    }
    return false;
  }
  // Returns true for a heading, a code block or a paragraph, which end front matter without a
  // closing line.
  bool beginsBody() const noexcept {
    const std::string_view text = line();
    if (text.starts_with("# ") || text.starts_with("##") || text.starts_with("```")) return true;
    return blank_ && !shown().empty() && text[0] != ' ' && text[0] != '\t' && text[0] != '#' &&
           !text.starts_with("- ") && keyLength(text) == 0;
  }
  void closeAt(FrontMatterBlock &block, std::size_t body) const noexcept {
    block.state = FrontMatterBlock::State::Closed;
    block.yaml = document_.substr(block.offset, at_ - block.offset);
    block.bodyOffset = body;
  }

  std::string_view document_;
  std::size_t at_;
  bool opens_;         // the first line is a proper delimiter
  bool text_ = false;  // text other than dashes precedes
  bool blank_ = false; // the previous line is empty
};

} // namespace

FrontMatterBlock findLooseFrontMatter(std::string_view document) noexcept {
  return LooseReader(document).find();
}

FrontMatterBlock findFrontMatter(std::string_view document) noexcept {
  FrontMatterBlock block;
  const std::size_t start = byteOrderMarks(document);
  const std::size_t opening = delimiterLength(document, start);
  if (opening == 0) return block;
  block.state = FrontMatterBlock::State::Unclosed;
  block.offset = start + opening;
  for (std::size_t line = block.offset; line < document.size();) {
    if (document[line] == '-')
      if (const std::size_t closing = delimiterLength(document, line); closing != 0) {
        block.state = FrontMatterBlock::State::Closed;
        block.yaml = document.substr(block.offset, line - block.offset);
        block.bodyOffset = line + closing;
        return block;
      }
    const std::size_t end = document.find('\n', line);
    if (end == std::string_view::npos) break;
    line = end + 1;
  }
  return block;
}

} // namespace skillhost
