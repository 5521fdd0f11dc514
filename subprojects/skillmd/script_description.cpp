// SPDX-License-Identifier: Apache-2.0
#include "skillmd/script_description.hpp"

#include "ground/text.hpp"
#include "ground/utf8.hpp"
#include "skillmd/characters.hpp"
#include "skillmd/hidden_characters.hpp"

#include <algorithm>
#include <array>

namespace skillhost {
namespace {

constexpr std::size_t maxCommentBytes = 4096;
constexpr std::size_t maxLineBytes = 160; // limit for each half of a summary

struct Language {
  std::string_view extension, interpreter, comment;
};

constexpr std::array languages{
    Language{".py", "python3", "#"},     Language{".sh", "bash", "#"},
    Language{".bash", "bash", "#"},      Language{".zsh", "zsh", "#"},
    Language{".js", "node", "//"},       Language{".mjs", "node", "//"},
    Language{".cjs", "node", "//"},      Language{".ts", "npx tsx", "//"},
    Language{".rb", "ruby", "#"},        Language{".pl", "perl", "#"},
    Language{".ps1", "pwsh -File", "#"}, Language{".r", "Rscript", "#"},
    Language{".R", "Rscript", "#"},
};
// Common names of folders with scripts. A file elsewhere may be a template or a module.
constexpr std::array<std::string_view, 4> folders{"bin", "script", "scripts", "tools"};

std::string_view nameOf(std::string_view path) noexcept {
  const std::size_t slash = path.rfind('/');
  return path.substr(slash == npos ? 0 : slash + 1);
}

const Language *languageOf(std::string_view path) noexcept {
  const std::string_view name = nameOf(path);
  const std::size_t dot = name.rfind('.');
  if (dot == npos) return nullptr;
  const auto *const found =
      std::find_if(languages.begin(), languages.end(),
                   [&](const Language &each) { return each.extension == name.substr(dot); });
  return found == languages.end() ? nullptr : found;
}

bool inFolderOfScripts(std::string_view path) noexcept {
  for (std::size_t slash = path.find('/'); slash != npos; slash = path.find('/')) {
    if (std::find(folders.begin(), folders.end(), path.substr(0, slash)) != folders.end())
      return true;
    path.remove_prefix(slash + 1);
  }
  return false;
}

std::string_view takeLine(std::string_view &text) noexcept {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == npos ? text.size() : end + 1);
  return line;
}

// Returns `uv run` for `#!/usr/bin/env -S uv run`, and `bash -e` for `#!/bin/bash -e`.
std::string interpreterOf(std::string_view firstLine) {
  constexpr std::size_t maxFirstLineBytes = 80;
  if (!firstLine.starts_with("#!") || firstLine.size() > maxFirstLineBytes) return {};
  std::string_view command = trimmedLine(firstLine.substr(2));
  const bool plain = std::all_of(command.begin(), command.end(), [](char c) {
    return letter(c) || digit(c) || std::string_view(" /._-+:@,=").find(c) != npos;
  });
  if (!plain) return {};
  std::string_view program = nameOf(command.substr(0, command.find(' ')));
  std::string_view rest = command.substr(std::min(command.find(' '), command.size()));
  if (program != "env") return std::string(program) + std::string(rest);
  rest = trimmedLine(rest);
  if (rest.starts_with("-S ")) rest = trimmedLine(rest.substr(3));
  return std::string(rest);
}

bool isPython(std::string_view program) noexcept {
  return program.starts_with("python") && program.find_first_not_of("0123456789.", 6) == npos;
}

// Prevents Python from writing __pycache__ (-B), so that the folder of a skill stays as it was
// reviewed.
std::string withoutByteCode(std::string interpreter) {
  const std::size_t end = std::min(interpreter.find(' '), interpreter.size());
  if (isPython(std::string_view(interpreter).substr(0, end))) interpreter.insert(end, " -B");
  return interpreter;
}

// Returns a line whose whole text a reader sees; empty if it has hidden characters.
std::string cleaned(std::string_view line) {
  if (hasHiddenCharacters(line)) return {};
  std::string out;
  for (const char c : mendUtf8(cutUtf8(line, maxLineBytes * 4))) {
    const bool space = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    if (space && (out.empty() || out.back() == ' ')) continue;
    out += space ? ' ' : c == '`' || c == '"' ? '\'' : c;
  }
  out.resize(cutUtf8(trimmedLine(out), maxLineBytes).size());
  return out;
}

// Returns the text up to the closing mark, such as """.
std::string enclosed(std::string_view rest, std::string_view closing) {
  std::string out;
  for (std::string_view text = rest.substr(0, std::min(rest.find(closing), maxCommentBytes));
       !text.empty();) {
    std::string_view line = trimmedLine(takeLine(text));
    if (closing == "*/" && line.starts_with("*")) line = trimmedLine(line.substr(1));
    (out += line) += '\n';
  }
  return out;
}

// Returns the first comment of a script: a docstring, a block, or lines.
std::string firstComment(std::string_view document, std::string_view mark) {
  std::string out;
  for (std::string_view rest = document; !rest.empty() && out.size() < maxCommentBytes;) {
    const std::string_view here = rest;
    const std::string_view line = trimmedLine(takeLine(rest));
    if (line.empty() && out.empty()) continue;
    if (line.starts_with("#!") && here.data() == document.data()) continue;
    const std::string_view body =
        here.substr(std::min(here.find_first_not_of(" \t\r"), here.size()));
    const std::string_view quotes = body.substr(0, 3);
    if (mark == "#" && (quotes == R"(""")" || quotes == "'''"))
      return out + enclosed(body.substr(3), quotes);
    if (mark == "//" && body.starts_with("/*"))
      return out + enclosed(body.substr(std::min(body.find_first_not_of("/*"), body.size())), "*/");
    if (!line.starts_with(mark)) break;
    const std::string_view text = line.substr(mark.size());
    // These lines are for tools, not for readers: encodings, inline script metadata, licences.
    if (text.find("coding:") != npos || text.starts_with(" /// ") || text.find("SPDX-") != npos)
      continue;
    (out += trimmedLine(text)) += '\n';
  }
  return out;
}

// Returns the position of "usage:" or "Usage:" in `text`.
std::size_t findUsage(std::string_view text) noexcept {
  for (std::size_t at = text.find("sage:"); at != npos; at = text.find("sage:", at + 1))
    if (at != 0 && (text[at - 1] == 'U' || text[at - 1] == 'u')) return at - 1;
  return npos;
}

// Returns "Usage: fill.py IN OUT" from a comment or from the script's output; empty if there is
// none.
std::string usageOf(std::string_view text, bool code) {
  const std::size_t at = findUsage(text);
  if (at == npos) return {};
  std::string_view rest = text.substr(at);
  std::string_view line = takeLine(rest);
  if (code) line = line.substr(0, line.find_first_of("\"\\`"));
  if (trimmedLine(line).size() > std::string_view("usage:").size()) return cleaned(line);
  if (code) return {};
  std::string next; // the next line with text
  while (next.empty() && !rest.empty()) next = cleaned(takeLine(rest));
  return next.empty() ? next : "Usage: " + next;
}

// Returns the first line of the comment that has words.
std::string openingOf(std::string_view comment, std::string_view path) {
  while (!comment.empty()) {
    const std::string_view line = trimmedLine(takeLine(comment));
    const bool words = std::any_of(line.begin(), line.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             static_cast<unsigned char>(c) > 127;
    });
    if (!words || line == nameOf(path)) continue;
    return findUsage(line) == npos ? cleaned(line) : std::string();
  }
  return {};
}

// Returns true for a module that other scripts use: it defines things and starts nothing.
bool onlyDefines(std::string_view path, std::string_view document) noexcept {
  if (!path.ends_with(".py")) return false;
  const auto has = [&](std::string_view text) { return document.find(text) != npos; };
  if (has("not be run directly")) return true;
  return (has("\ndef ") || has("\nclass ")) && !has("__main__") && !has("sys.argv");
}

// Returns the imported modules. Of `import a, b` only the first counts, because scripts usually
// write one per line.
std::vector<std::string> importsIn(std::string_view document) {
  constexpr std::size_t maxModules = 100, maxNameBytes = 100;
  std::vector<std::string> found;
  while (!document.empty() && found.size() < maxModules) {
    std::string_view line = trimmedLine(takeLine(document));
    const bool from = line.starts_with("from ");
    if (!from && !line.starts_with("import ")) continue;
    line = trimmedLine(line.substr(from ? 5 : 7));
    const std::size_t end = std::min(line.find_first_of(" ,;#"), line.size());
    if (end != 0 && end <= maxNameBytes) found.emplace_back(line.substr(0, end));
  }
  return found;
}

} // namespace

bool hasHiddenCharacters(std::string_view text) {
  // These end lines.
  bool found = text.find("\xE2\x80\xA8") != npos || text.find("\xE2\x80\xA9") != npos;
  findHiddenCharacters(text, [&](std::string_view rule, Severity, std::size_t) {
    if (rule != "hidden.look-alike-letters" && rule != "hidden.terminal-escapes") found = true;
  });
  return found;
}

bool isScript(std::string_view path, bool executable) noexcept {
  const std::string_view name = nameOf(path);
  if (name == "__init__.py" || name.ends_with(".d.ts")) return false;
  if (languageOf(path) == nullptr) return executable && name.find('.') == npos;
  return executable || name.size() == path.size() || inFolderOfScripts(path);
}

ScriptDescription describeScript(std::string_view path, std::string_view document) {
  document = document.substr(0, maxScriptBytes);
  const Language *const language = languageOf(path);
  std::string_view rest = document;
  ScriptDescription out{interpreterOf(takeLine(rest)), {}, onlyDefines(path, document)};
  if (path.ends_with(".py")) out.imports = importsIn(document);
  if (out.interpreter.empty() && language != nullptr) out.interpreter = language->interpreter;
  out.interpreter = withoutByteCode(std::move(out.interpreter));
  const std::string comment = firstComment(document, language == nullptr ? "#" : language->comment);
  out.summary = openingOf(comment, path);
  std::string usage = usageOf(comment, false);
  if (usage.empty()) usage = usageOf(document, true);
  if (!out.summary.empty() && !usage.empty())
    out.summary += std::string_view(".:!?").find(out.summary.back()) == npos ? ". " : " ";
  out.summary += usage;
  return out;
}

} // namespace skillhost
