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

constexpr std::size_t maxLine = 16'384; // bytes of a line of prose that are read
constexpr std::size_t maxCommandsOfLine = 8;

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
      readConfigurationLine(text_.substr(line, std::min(stop - line, maxLine)), line);
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
    line = line.substr(0, maxLine);
    // Bars within the cells of a table, and entities.
    const bool isTable = trimmedSpacesAndTabs(line).starts_with('|') && line.find("\\|") != npos;
    if (isTable || line.find("&#124;") != npos || line.find("&vert;") != npos) {
      std::string plain(line);
      for (const std::string_view written : {"\\|", "&#124;", "&vert;"})
        for (std::size_t found = plain.find(written); found != std::string::npos;
             found = plain.find(written, found + 1))
          plain.replace(found, written.size(), "|");
      readParts(plain, at, false);
      return;
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
    for (std::size_t i = 0; i < line.size();) {
      if (line[i] == '`') {
        std::size_t ticks = i;
        while (ticks < line.size() && line[ticks] == '`') ++ticks;
        const std::string_view mark = line.substr(i, ticks - i);
        const std::size_t close = mark.size() > 2 ? npos : line.find(mark, ticks);
        if (close == npos) {
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
      if (++commands > maxCommandsOfLine) return;
      // A command of a sentence ends at a backtick of Markdown, unless it has a substitution.
      const std::string_view rest = line.substr(i);
      readProgram(rest.substr(0, rest.find('`')), at, i, isPlaced);
      i = end;
    }
  }

  const std::string_view text_;
  const Context &context_;
  CommandReader &reader_;
};

} // namespace

void readPrograms(std::string_view text, std::string_view file, const Context &context,
                  CommandReader &reader) {
  Programs(text, context, reader).read(languageOfFile(file, text));
}

} // namespace skillhost
