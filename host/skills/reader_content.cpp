// SPDX-License-Identifier: Apache-2.0
#include "skills/reader_content.hpp"

#include "characters.hpp"

#include "skills/front_matter_block.hpp"
#include "skills/path_rewriter.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace skillhost {
namespace {

constexpr std::string_view skillDirectory = "${CLAUDE_SKILL_DIR}";

// Which bytes a path in running text is made of. Everything else ends a word.
constexpr std::array<bool, 256> wordBytes = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c)
    table[c] =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80;
  for (const char c : std::string_view("_./~@%+=:#?&$-\\"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

bool inWord(char c) noexcept { return wordBytes[static_cast<unsigned char>(c)]; }

// Goes over a body once and copies it, rewriting words as it passes.
class Renderer {
public:
  Renderer(std::string_view body, PathRewriter &paths, std::string &out)
      : body_(body), paths_(paths), out_(out) {}

  void run() {
    atLineStart();
    while (at_ < body_.size()) {
      const char c = body_[at_];
      if (inWord(c)) {
        word();
      } else if (c == '\n') {
        copy(1);
        atLineStart();
      } else if (c == '`') {
        backtick();
      } else if (c == '(' && at_ > 0 && body_[at_ - 1] == ']') {
        copy(1);
        linkTarget();
      } else {
        copy(1);
      }
    }
    flush();
  }

private:
  // Passes over bytes that stay: they are copied together before the next thing that does not.
  void copy(std::size_t count) { at_ += count; }
  void flush() {
    out_ += body_.substr(copied_, at_ - copied_);
    copied_ = at_;
  }
  void replaceNext(std::size_t count, std::string_view text) {
    flush();
    out_ += text;
    at_ += count;
    copied_ = at_;
  }
  void atLineStart() {
    inlineCode_ = false;
    const std::size_t text = body_.substr(at_, 3).find_first_not_of(' ');
    const std::string_view marks = body_.substr(at_ + (text == npos ? 0 : text), 3);
    if (marks == "```" || marks == "~~~") fence_ = !fence_;
  }

  void word() {
    const std::string_view rest = body_.substr(at_);
    if (rest[0] == '$' && rest.substr(0, skillDirectory.size()) == skillDirectory) {
      skillFolder();
      return;
    }
    std::size_t length = rest[0] == '$' ? 1 : 0;
    bool path = false; // nothing without a dot or a slash looks like a path
    for (; length < rest.size() && inWord(rest[length]) && rest[length] != '$'; ++length)
      path = path || rest[length] == '.' || rest[length] == '/';
    if (!path) {
      copy(length);
      return;
    }
    const std::string_view text = rest.substr(0, length);
    if (text.find("://") != npos) {
      copy(std::min(rest.find_first_of(" \t\r\n<>\"'`)]"), rest.size()));
      return;
    }
    // What follows a placeholder or a glob's star is the rest of another path.
    const char before = at_ == 0 ? ' ' : body_[at_ - 1];
    const bool joined = before == '}' || (before == '*' && at_ > 1 && inWord(body_[at_ - 2]));
    if (joined || text[0] == '$' || !replace(text)) copy(length);
  }

  // Tries the word, and where scripts without spaces surround it, its parts in ASCII.
  bool replace(std::string_view text) {
    if (const auto path = paths_.rewrite(text, PathRewriter::Origin::Text)) {
      put(text.size(), *path);
      return true;
    }
    const auto foreign = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
    if (std::none_of(text.begin(), text.end(), foreign)) return false;
    while (!text.empty()) {
      const bool other = foreign(text[0]);
      std::size_t length = 1;
      while (length < text.size() && foreign(text[length]) == other) ++length;
      const std::string_view part = text.substr(0, length);
      std::optional<std::string> path;
      if (!other) path = paths_.rewrite(part, PathRewriter::Origin::Text);
      if (path) {
        put(length, *path);
      } else {
        copy(length);
      }
      text.remove_prefix(length);
    }
    return true;
  }
  // A path with spaces in it is one word of a command only in quotes.
  void put(std::size_t count, const std::string &path) {
    const char before = at_ == 0 ? ' ' : body_[at_ - 1];
    const bool quote = (fence_ || inlineCode_) && path.find(' ') != std::string::npos &&
                       before != '"' && before != '\'';
    replaceNext(count, quote ? '"' + path + '"' : path);
  }

  void skillFolder() {
    std::size_t end = at_ + skillDirectory.size();
    const std::size_t rest = end;
    while (end < body_.size() && inWord(body_[end])) ++end;
    const std::string_view below = body_.substr(rest, end - rest);
    const bool inside = below.empty() || below[0] != '/' || below.size() == 1 ||
                        normaliseRelative(below.substr(1)).has_value();
    if (!inside) {
      copy(end - at_);
      return;
    }
    put(end - at_, paths_.base() + std::string(below));
  }

  // The target of [text](target): it may have spaces in it and needs no extension.
  void linkTarget() {
    constexpr std::size_t longest = 300;
    const std::string_view window = body_.substr(at_, longest);
    const std::size_t end = window.substr(0, window.find('\n')).find(')');
    if (end == npos) return;
    std::string_view target = window.substr(0, end);
    if (const std::size_t title = target.find(" \""); title != npos)
      target = target.substr(0, title);
    if (target.empty() || target.find("://") != npos) return;
    const bool angled = target.size() > 2 && target.front() == '<' && target.back() == '>';
    if (angled) {
      copy(1);
      target = target.substr(1, target.size() - 2);
    }
    const std::optional<std::string> path = paths_.rewrite(target, PathRewriter::Origin::Link);
    if (!path) return;
    const bool spaced = path->find_first_of(" ()") != std::string::npos;
    replaceNext(target.size(), spaced && !angled ? "<" + *path + ">" : *path);
  }

  // A whole code span that is the name of a file with spaces in it; else words as everywhere.
  void backtick() {
    std::size_t run = 1;
    while (at_ + run < body_.size() && body_[at_ + run] == '`') ++run;
    copy(run);
    if (fence_ || run >= 3) return;
    inlineCode_ = !inlineCode_;
    if (!inlineCode_ || run != 1) return;
    constexpr std::size_t longest = 200;
    const std::string_view window = body_.substr(at_, longest);
    const std::size_t end = window.substr(0, window.find('\n')).find('`');
    if (end == npos) return;
    const std::string_view span = window.substr(0, end);
    if (span.find(' ') == npos) return;
    if (const auto path = paths_.rewrite(span, PathRewriter::Origin::Link)) {
      replaceNext(end, *path);
    }
  }

  std::string_view body_;
  PathRewriter &paths_;
  std::string &out_;
  std::size_t at_ = 0, copied_ = 0;
  bool fence_ = false, inlineCode_ = false;
};

} // namespace

std::string renderForReader(std::string_view document, const ReaderContext &context) {
  PathRewriter paths(context);
  if (!paths.active()) return std::string(document);
  const std::size_t body = findFrontMatter(document).bodyOffset;
  std::string out;
  out.reserve(document.size() + document.size() / 8);
  out += document.substr(0, body);
  Renderer(document.substr(body), paths, out).run();
  return out;
}

std::string fillArguments(std::string_view body, std::string_view arguments) {
  constexpr std::string_view place = "$ARGUMENTS";
  std::string out;
  std::size_t at = 0;
  bool filled = false;
  for (std::size_t next = body.find(place); next != npos; next = body.find(place, at)) {
    out += body.substr(at, next - at);
    out += arguments;
    at = next + place.size();
    filled = true;
  }
  out += body.substr(at);
  if (!filled && !arguments.empty()) {
    out += "\n\nARGUMENTS: ";
    out += arguments;
  }
  return out;
}

} // namespace skillhost
