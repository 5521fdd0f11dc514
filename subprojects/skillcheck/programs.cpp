// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include "skillmd/characters.hpp"
#include "text_tools.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace skillhost {
namespace {

constexpr std::size_t maxWholeCommands = 8; // of a line of prose that are read to its end
constexpr std::size_t maxCommand = 1024;    // bytes that are read of further ones

enum class Language : std::uint8_t {
  Shell,
  Code,
  Lines, // each line may be or have a command
  None,
};

// Endings of files and names of languages behind the mark of a block.
constexpr std::array<std::string_view, 15> shellNames{
    "sh",   "bash", "zsh",       "ksh",           "fish",         "shell",   "console", "terminal",
    "text", "txt",  "plaintext", "shell-session", "shellsession", "command", "dash"};
constexpr std::array<std::string_view, 35> codeNames{
    "py",   "pyw",  "python", "python3", "js",         "mjs",        "cjs",  "javascript", "ts",
    "mts",  "jsx",  "tsx",    "node",    "typescript", "rb",         "ruby", "pl",         "pm",
    "perl", "php",  "lua",    "ps1",     "psm1",       "powershell", "pwsh", "go",         "golang",
    "rs",   "rust", "java",   "kt",      "cs",         "csharp",     "posh", "groovy"};

Language languageOf(std::string_view name) noexcept {
  if (isOneOf(shellNames, name)) return Language::Shell;
  if (isOneOf(codeNames, name)) return Language::Code;
  return Language::Lines;
}

Language languageOfFile(std::string_view file, std::string_view text) {
  const std::size_t slash = file.find_last_of("/\\");
  const std::string name = asciiLowered(slash == npos ? file : file.substr(slash + 1));
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos && dot + 1 < name.size()) {
    const Language language = languageOf(std::string_view(name).substr(dot + 1));
    if (language != Language::Lines) return language;
  }
  if (!text.starts_with("#!")) return Language::Lines;
  const std::string_view first = text.substr(0, std::min<std::size_t>(text.find('\n'), 128));
  for (const std::string_view code : {"python", "node", "perl", "ruby", "php", "deno", "pwsh"})
    if (first.find(code) != npos) return Language::Code;
  return Language::Shell;
}

// The words that begin a command within a sentence.
constexpr std::array<std::string_view, 27> starters{
    "curl",       "wget",   "bash",    "sh",    "zsh",    "eval",   "source", "sudo", "echo",
    "printf",     "python", "python3", "node",  "perl",   "ruby",   "iwr",    "irm",  "iex",
    "powershell", "pwsh",   "env",     "nohup", "base64", "aria2c", "exec",   "cmd",  "."};

class Programs {
public:
  Programs(std::string_view text, const Context &context, CommandReader &reader)
      : text_(text), context_(context), reader_(reader) {}

  void read(Language language) {
    if (context_.kind() == ContentKind::Script) {
      readBlock(language, 0, text_.size());
      return;
    }
    readElements();
    for (std::size_t i = 0; i < context_.lines();) {
      if (context_.placeOf(i, context_.begin(i)) != PlaceKind::Code) {
        readProse(context_.line(i), context_.begin(i));
        ++i;
        continue;
      }
      const std::size_t fence = context_.fenceOf(i);
      const bool isFenced = isMark(context_.line(fence));
      std::size_t end = i + 1;
      while (end < context_.lines() &&
             context_.placeOf(end, context_.begin(end)) == PlaceKind::Code &&
             (isFenced ? context_.fenceOf(end) == fence : !isMark(context_.line(end))))
        ++end;
      const std::size_t first = isFenced ? i + 1 : i;
      std::size_t last = end; // without the closing mark
      if (isFenced && last > first && isMark(context_.line(last - 1))) --last;
      if (last > first)
        readBlock(isFenced ? languageOfMark(context_.line(fence)) : Language::Shell,
                  context_.begin(first), context_.begin(last - 1) + context_.line(last - 1).size());
      i = end;
    }
  }

private:
  static bool isMark(std::string_view line) noexcept {
    line = trimmedOf(line, " \t\r>");
    return line.starts_with("```") || line.starts_with("~~~");
  }
  static Language languageOfMark(std::string_view line) {
    line = trimmedOf(line, " \t\r>`~{.");
    const std::string name = asciiLowered(line.substr(0, line.find_first_of(" \t}:,")));
    return name.empty() ? Language::Shell : languageOf(name);
  }

  // Reads the programs in elements of HTML, which Markdown may have, too.
  void readElements() {
    constexpr std::array<std::string_view, 6> names{"pre", "script", "code", "kbd", "samp", "tt"};
    constexpr std::size_t maxTag = 512;          // bytes
    std::array<bool, names.size()> isUnclosed{}; // there is no further end tag
    for (std::size_t open = text_.find('<'); open != npos; open = text_.find('<', open)) {
      const std::size_t begin = open++;
      if (open == text_.size() || !letter(text_[open])) continue;
      const std::string tag = asciiLowered(text_.substr(begin, maxTag));
      const auto *const name = std::find_if(names.begin(), names.end(), [&](std::string_view one) {
        return std::string_view(tag).substr(1).starts_with(one) && tag.size() > one.size() + 1 &&
               std::string_view(" \t\n>").find(tag[one.size() + 1]) != npos;
      });
      const std::size_t tagEnd = name == names.end() ? npos : tag.find('>');
      if (tagEnd == npos) continue;
      const PlaceKind place = context_.placeOf(context_.lineAt(begin), begin);
      bool &isLast = isUnclosed[static_cast<std::size_t>(name - names.begin())];
      if (place == PlaceKind::Code || place == PlaceKind::InlineCode || isLast) continue;
      const std::size_t from = begin + tagEnd + 1;
      std::size_t end = endTag(*name, from);
      isLast = end == npos;
      if (isLast && *name != "pre") continue;
      end = std::min(end, text_.size()); // a browser closes it at the end
      const std::string_view inside = text_.substr(from, end - from);
      readElement(*name, tag.substr(0, tagEnd), inside, begin);
      open = end;
    }
  }

  // Returns the place of `</name`, or npos.
  std::size_t endTag(std::string_view name, std::size_t from) const {
    for (std::size_t at = text_.find("</", from); at != npos; at = text_.find("</", at + 2))
      if (asciiLowered(text_.substr(at + 2, name.size())) == name) return at;
    return npos;
  }

  void readElement(std::string_view name, std::string tag, std::string_view inside,
                   std::size_t at) {
    // The language may be that of an element within: `<pre><code class="language-python">`.
    if (name == "pre")
      tag += asciiLowered(inside.substr(0, std::min<std::size_t>(inside.find('>'), 128)));
    Language language = name == "script" ? Language::Code : Language::Shell;
    for (const std::string_view mark : {"language-", "lang-", "source-", "lang=\"", "lang='"})
      if (const std::size_t found = tag.find(mark); found != npos) {
        const std::string_view rest = std::string_view(tag).substr(found + mark.size());
        language = languageOf(rest.substr(0, rest.find_first_of(" \t\"'>")));
        break;
      }
    const std::string program = name == "script" ? std::string(inside) : withoutTags(inside);
    if (language == Language::Code)
      reader_.readCodeText(program, at);
    else
      reader_.readShellText(program, at);
  }

  void readBlock(Language language, std::size_t begin, std::size_t end) {
    const std::string_view block = text_.substr(begin, end - begin);
    switch (language) {
    case Language::Shell:
      reader_.readShell(block, begin);
      return;
    case Language::Code:
      reader_.readCode(block, begin);
      return;
    case Language::Lines:
      break;
    case Language::None:
      return;
    }
    for (std::size_t line = begin; line < end;) {
      const std::size_t stop = std::min(text_.find('\n', line), end);
      readConfigurationLine(text_.substr(line, stop - line), line);
      line = stop + 1;
    }
  }

  // Reads a line such as `RUN x`, `run: x`, `- x`, `@x`, and the strings in it.
  void readConfigurationLine(std::string_view line, std::size_t at) {
    std::size_t from = std::min(line.find_first_not_of(" \t-@+"), line.size());
    const std::string_view rest = line.substr(from);
    std::size_t colon = 0;
    while (colon < rest.size() &&
           (letter(rest[colon]) || digit(rest[colon]) || rest[colon] == '_' || rest[colon] == '-'))
      ++colon;
    if (colon > 0 && rest.substr(colon, 2) == ": ")
      from += colon + 2;
    else
      for (const std::string_view word : {"RUN ", "CMD ", "ENTRYPOINT ", "ExecStart="})
        if (rest.starts_with(word)) from += word.size();
    std::string_view command = line.substr(from);
    const bool isString = command.starts_with('"') || command.starts_with('\'') ||
                          command.starts_with('[') || command.starts_with('{');
    if (!isString) {
      reader_.readShell(command, at + from);
      // The value of a key in TOML may be a string.
      const std::size_t equals = command.find_first_not_of("abcdefghijklmnopqrstuvwxyz_-. ");
      if (equals == npos || command[equals] != '=') return;
    }
    for (std::size_t open = line.find('"'); open != npos;) {
      std::size_t close = open + 1;
      while (close < line.size() && line[close] != '"') close += line[close] == '\\' ? 2 : 1;
      if (close >= line.size()) return;
      const std::string_view inside = line.substr(open + 1, close - open - 1);
      if (inside.find(' ') != npos) reader_.readShellText(withoutEscapes(inside), at + open + 1);
      open = line.find('"', close + 1);
    }
  }

  void readProse(std::string_view line, std::size_t at) {
    // Bars within the cells of a table, and entities.
    const bool isTable = trimmedSpacesAndTabs(line).starts_with('|') && line.find("\\|") != npos;
    if (isTable || line.find('&') != npos) {
      std::string plain = withoutEntities(line);
      if (isTable) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < plain.size(); ++i)
          if (plain[i] != '\\' || i + 1 == plain.size() || plain[i + 1] != '|')
            plain[kept++] = plain[i];
        plain.resize(kept);
      }
      if (plain != line) {
        readParts(plain, at, false);
        return;
      }
    }
    readParts(line, at, true);
  }

  void readProgram(std::string_view program, std::size_t at, std::size_t offset, bool isPlaced) {
    if (isPlaced)
      reader_.readShell(program, at + offset);
    else
      reader_.readShellText(program, at);
    if (program.find('(') != npos && program.find_first_of("\"'") != npos)
      reader_.readCode(program, at + (isPlaced ? offset : 0));
  }

  // Reads spans between backticks, and commands outside these.
  void readParts(std::string_view line, std::size_t at, bool isPlaced) {
    std::size_t commands = 0;
    std::array<bool, 3> isUnclosed{}; // by the length of a mark: it does not come again
    for (std::size_t i = 0; i < line.size();) {
      if (line[i] == '`') {
        std::size_t ticks = i;
        while (ticks < line.size() && line[ticks] == '`') ++ticks;
        const std::string_view mark = line.substr(i, ticks - i);
        const bool isMark = mark.size() < isUnclosed.size() && !isUnclosed[mark.size()];
        const std::size_t close = isMark ? line.find(mark, ticks) : npos;
        if (close == npos) {
          if (isMark) isUnclosed[mark.size()] = true;
          i = ticks;
          continue;
        }
        const std::string_view span = line.substr(ticks, close - ticks);
        // A single word names something. Only a path may be meant as a command.
        if (span.find_first_of(" \t<({|") != npos || span.starts_with("./") ||
            span.starts_with("/tmp/") || span.starts_with("~/"))
          readProgram(span, at, ticks, isPlaced);
        i = close + mark.size();
        continue;
      }
      const bool begins = i == 0 || std::string_view(" \t(:>*\"'-|[=").find(line[i - 1]) != npos;
      const bool beginsName = letter(line[i]) || line[i] == '.';
      if (!begins || !beginsName) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < line.size() && (letter(line[end]) || digit(line[end]) || line[end] == '.'))
        ++end;
      const bool isCommand = end < line.size() && (line[end] == ' ' || line[end] == '\t') &&
                             isOneOf(starters, line.substr(i, end - i));
      if (!isCommand) {
        i = std::max(end, i + 1);
        continue;
      }
      // A command of a sentence ends at a backtick of Markdown, unless it has a substitution.
      std::string_view rest = line.substr(i);
      const bool isWhole = ++commands <= maxWholeCommands;
      if (!isWhole) rest = rest.substr(0, maxCommand);
      readProgram(rest.substr(0, rest.find('`')), at, i, isPlaced && isWhole);
      i = end;
    }
  }

  const std::string_view text_;
  const Context &context_;
  CommandReader &reader_;
};

} // namespace

void readPrograms(std::string_view text, std::string_view file, TextKind kind,
                  const Context &context, CommandReader &reader) {
  const Language language = languageOfFile(file, text);
  const bool isShell = kind == TextKind::Program && language == Language::Lines;
  Programs(text, context, reader).read(isShell ? Language::Shell : language);
}

} // namespace skillhost
