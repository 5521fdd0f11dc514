// SPDX-License-Identifier: Apache-2.0
#include "skillmd/reader_content.hpp"

#include "ground/utf8.hpp"
#include "skillmd/characters.hpp"
#include "value_text.hpp"

#include "skillmd/path_rewriter.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace skillhost {
namespace {

// Outside code, a path that follows one of these words is an argument of a command.
constexpr std::array<std::string_view, 16> programs{
    "$",    "bash", "bun",    "cat",     "cd",      "deno", "node", "npx",
    "perl", "pwsh", "python", "python3", "Rscript", "ruby", "run",  "sh"};

// The bytes of a path in running text. Any other byte ends a word.
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

// Returns the position of a possible fence in a line: behind blanks and quote marks, and for an
// opening fence also behind list marks.
std::size_t fenceAt(std::string_view line, bool opening) noexcept {
  std::size_t at = 0;
  for (;;) {
    at = std::min(line.find_first_not_of(" \t>", at), line.size());
    std::size_t end = at;
    while (end < line.size() && digit(line[end])) ++end;
    const std::string_view marks = end == at ? "-*+" : ".)";
    const bool item =
        end + 1 < line.size() && marks.find(line[end]) != npos && line[end + 1] == ' ';
    if (!opening || !item) return at;
    at = end + 2;
  }
}

// Copies a body in one pass and rewrites words on the way.
class Renderer {
public:
  Renderer(std::string_view body, PathRewriter &paths, std::string &out)
      : body_(body), paths_(paths), out_(out) {}

  void run() {
    atLineStart();
    while (at_ < body_.size()) {
      const char c = body_[at_];
      if (std::string_view("$~{<").find(c) != npos && placeholder()) continue;
      if (inWord(c)) {
        word();
      } else if (c == '\n') {
        keep(1);
        atLineStart();
      } else if (c == '`') {
        backtick();
      } else if (c == '(' && at_ > 0 && body_[at_ - 1] == ']') {
        keep(1);
        linkTarget();
      } else {
        keep(1);
      }
    }
    flush();
  }

private:
  // Moves past bytes that stay. They are copied together before the next replacement.
  void keep(std::size_t count) { at_ += count; }
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
    inlineCode_ = command_ = false;
    lineStart_ = at_;
    std::string_view line = body_.substr(at_, std::min(body_.find('\n', at_), body_.size()) - at_);
    line.remove_prefix(fenceAt(line, fence_ == 0));
    const char mark = line.empty() ? '\0' : line[0];
    if (mark != '`' && mark != '~') return;
    const std::size_t run = std::min(line.find_first_not_of(mark), line.size());
    const std::string_view rest = line.substr(run);
    if (fence_ == 0 && run >= 3 && (mark == '~' || rest.find('`') == npos)) {
      fence_ = run;
      fenceMark_ = mark;
    } else if (fence_ != 0 && mark == fenceMark_ && run >= fence_ &&
               rest.find_first_not_of(" \t\r") == npos) {
      fence_ = 0;
    }
    paths_.inFence(fence_ != 0);
  }

  void word() {
    const std::string_view rest = body_.substr(at_);
    if (rest[0] == '$' && rest.substr(0, skillDirectory.size()) == skillDirectory) {
      skillFolder();
      return;
    }
    std::size_t length = rest[0] == '$' ? 1 : 0;
    bool path = false; // only text with a dot or a slash looks like a path
    for (; length < rest.size() && inWord(rest[length]) && rest[length] != '$'; ++length)
      path = path || rest[length] == '.' || rest[length] == '/';
    if (!path) {
      keep(length);
      return;
    }
    const std::string_view text = rest.substr(0, length);
    if (text.find("://") != npos) {
      keep(std::min(rest.find_first_of(" \t\r\n<>\"'`)]"), rest.size()));
      return;
    }
    // Text behind a placeholder or a glob's star is the rest of another path.
    const char before = at_ == 0 ? ' ' : body_[at_ - 1];
    const bool joined = before == '}' || (before == '*' && at_ > 1 && inWord(body_[at_ - 2]));
    const bool folder =
        text.back() == '/' && (before == '<' || isInTreeDrawing()); // <data/>, |-- data/
    if (joined || folder || text[0] == '$' || isTargetToo(text) || isInCommand() ||
        !tryRewrite(text))
      keep(length);
  }

  // Returns true for the text of a link such as [forms.md](forms.md), whose target already says
  // where the file is.
  bool isTargetToo(std::string_view text) const {
    if (at_ == 0 || body_[at_ - 1] != '[') return false;
    std::string_view rest = body_.substr(at_ + text.size());
    if (!rest.starts_with("](")) return false;
    rest.remove_prefix(2);
    return rest.starts_with(text) && rest.substr(text.size()).starts_with(')');
  }

  // Returns true if the word is an entry of a drawn folder tree: `|--` or a line of box-drawing
  // characters stands before it.
  bool isInTreeDrawing() const {
    constexpr std::size_t furthest = 200;
    const std::string_view line = body_.substr(lineStart_, std::min(at_ - lineStart_, furthest));
    return line.find("\xE2\x94") != npos || line.find("|--") != npos ||
           line.find("+--") != npos; // U+2500 to U+253F, or their ASCII substitutes
  }
  // Returns true if the word belongs to a command, where a URI would not work.
  bool isInCommand() const {
    if (!paths_.uri()) return false;
    if (fence_ != 0 || (inlineCode_ && command_)) return true;
    constexpr std::size_t furthest = 20;
    std::string_view line = body_.substr(lineStart_, at_ - lineStart_);
    line = line.substr(line.size() - std::min(line.size(), furthest));
    const std::size_t end = line.find_last_not_of(" \t");
    if (end == npos || end + 1 == line.size()) return false; // no space before the word
    line = line.substr(0, end + 1);
    const std::size_t space = line.find_last_of(" \t*`\"(");
    const std::string_view program = line.substr(space == npos ? 0 : space + 1);
    return std::find(programs.begin(), programs.end(), program) != programs.end();
  }

  // Rewrites the word if it is a path. If it contains other than ASCII text, tries each of its
  // ASCII parts, because Chinese and Japanese put no spaces around a path.
  bool tryRewrite(std::string_view text) {
    if (const auto path = paths_.rewrite(text, PathRewriter::Origin::Text)) {
      writePath(text.size(), *path);
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
        writePath(length, *path);
      } else {
        keep(length);
      }
      text.remove_prefix(length);
    }
    return true;
  }
  // Writes a path in place of `count` bytes. In a command, a path with spaces is one word only in
  // quotes.
  void writePath(std::size_t count, const std::string &path) {
    const char before = at_ == 0 ? ' ' : body_[at_ - 1];
    const bool quote = (fence_ != 0 || inlineCode_) && path.find(' ') != std::string::npos &&
                       before != '"' && before != '\'';
    replaceNext(count, quote ? '"' + path + '"' : path);
  }

  // Resolves a path behind a placeholder for the skill's folder, such as {baseDir}/x or
  // ~/.claude/skills/NAME/x.
  bool placeholder() {
    const std::string_view rest = body_.substr(at_);
    if (rest.starts_with(skillDirectory)) return false;
    constexpr std::string_view alone = "{baseDir}";
    const FolderPrefix prefix = folderPrefixOf(rest);
    if (prefix.length == 0) {
      const bool isBaseDir = rest.starts_with(alone) && (at_ == 0 || body_[at_ - 1] != '$');
      if (isBaseDir) replaceNext(alone.size(), isInCommand() ? skillDirectory : paths_.base());
      return isBaseDir;
    }
    std::size_t end = prefix.length;
    while (end < rest.size() && inWord(rest[end]) && rest[end] != '$') ++end;
    const auto found = paths_.below(rest.substr(prefix.length, end - prefix.length), prefix.of);
    if (!found) {
      keep(end);
      return true;
    }
    const std::string path = isInCommand() ? std::string(skillDirectory) + '/' + found->path
                                           : paths_.ofSkill(found->path);
    writePath(end, path + std::string(found->rest));
    return true;
  }

  void skillFolder() {
    std::size_t end = at_ + skillDirectory.size();
    const std::size_t rest = end;
    while (end < body_.size() && inWord(body_[end])) ++end;
    const std::string_view below = body_.substr(rest, end - rest);
    const bool namesFile = below.size() > 1 && below[0] == '/';
    const auto file = namesFile ? normaliseRelative(below.substr(1)) : std::nullopt;
    if ((namesFile && !file) || isInCommand()) {
      keep(end - at_);
      return;
    }
    if (file && !paths_.has(*file)) paths_.noteAbsent(below.substr(1), PathRewriter::Origin::Link);
    writePath(end - at_, paths_.base() + std::string(below));
  }

  // Handles the target of [text](target), which may contain spaces and needs no extension.
  void linkTarget() {
    constexpr std::size_t maxWindowBytes = 300;
    const std::string_view window = body_.substr(at_, maxWindowBytes);
    const std::size_t end = window.substr(0, window.find('\n')).find(')');
    if (end == npos || (fence_ != 0 && paths_.uri())) return;
    std::string_view target = window.substr(0, end);
    if (const std::size_t title = target.find(" \""); title != npos)
      target = target.substr(0, title);
    if (target.empty() || target.find("://") != npos) return;
    const bool angled = target.size() > 2 && target.front() == '<' && target.back() == '>';
    if (angled) {
      keep(1);
      target = target.substr(1, target.size() - 2);
    }
    const std::optional<std::string> path =
        paths_.rewrite(target, fence_ != 0 || inlineCode_ ? PathRewriter::Origin::Code
                                                          : PathRewriter::Origin::Link);
    if (!path) return;
    const bool spaced = path->find_first_of(" ()") != std::string::npos;
    replaceNext(target.size(), spaced && !angled ? "<" + *path + ">" : *path);
  }

  // Handles a whole code span that names a file with spaces. Other spans are read word by word.
  void backtick() {
    std::size_t run = 1;
    while (at_ + run < body_.size() && body_[at_ + run] == '`') ++run;
    keep(run);
    if (fence_ != 0 || run >= 3) return;
    inlineCode_ = !inlineCode_;
    if (!inlineCode_) return;
    constexpr std::size_t maxWindowBytes = 200;
    const std::string_view window = body_.substr(at_, maxWindowBytes);
    const std::size_t end = window.substr(0, window.find('\n')).find('`');
    const std::string_view span = window.substr(0, end);
    command_ = span.find(' ') != npos;
    if (run != 1 || end == npos || !command_) return;
    if (const auto path = paths_.rewrite(span, PathRewriter::Origin::Code)) {
      replaceNext(end, *path);
    }
  }

  std::string_view body_;
  PathRewriter &paths_;
  std::string &out_;
  std::size_t at_ = 0, copied_ = 0, lineStart_ = 0;
  std::size_t fence_ = 0; // length of the fence that opened code; 0: outside
  char fenceMark_ = '`';
  bool inlineCode_ = false;
  bool command_ = false; // the inline code has several words, like a command
};

} // namespace

std::string renderForReader(std::string_view document, std::size_t body,
                            const ReaderContext &context) {
  PathRewriter paths(context);
  if (!paths.active()) return std::string(document);
  std::string out;
  out.reserve(document.size() + document.size() / 8);
  out += document.substr(0, body);
  Renderer(document.substr(body), paths, out).run();
  return out;
}

std::string readableText(std::string bytes) {
  return isUtf8(bytes) ? std::move(bytes) : withReadableBytes(bytes);
}

} // namespace skillhost
