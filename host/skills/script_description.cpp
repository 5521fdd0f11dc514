// SPDX-License-Identifier: Apache-2.0
#include "skills/script_description.hpp"

#include "characters.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace skillhost {
namespace {

constexpr std::size_t longestComment = 2000;

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

const Language *languageOf(std::string_view path) noexcept {
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  if (dot == npos || (slash != npos && dot < slash)) return nullptr;
  const auto *const found =
      std::find_if(languages.begin(), languages.end(),
                   [&](const Language &each) { return each.extension == path.substr(dot); });
  return found == languages.end() ? nullptr : found;
}

std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t start = text.find_first_not_of(" \t\r");
  if (start == npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r") + 1 - start);
}

std::string_view takeLine(std::string_view &text) noexcept {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == npos ? text.size() : end + 1);
  return line;
}

// `#!/usr/bin/env -S uv run` is `uv run`, `#!/bin/bash -e` is `bash -e`.
std::string interpreterOf(std::string_view firstLine) {
  if (firstLine.substr(0, 2) != "#!" || firstLine.size() > 200 || !isUtf8(firstLine)) return {};
  std::string_view command = trimmed(firstLine.substr(2));
  const auto program = [&] {
    const std::string_view word = command.substr(0, command.find(' '));
    return word.substr(word.rfind('/') == npos ? 0 : word.rfind('/') + 1);
  };
  if (program() == "env") {
    command.remove_prefix(std::min(command.find(' '), command.size()));
    command = trimmed(command);
    if (command.substr(0, 3) == "-S ") command = trimmed(command.substr(3));
    return std::string(command);
  }
  const std::string_view name = program();
  std::string out(name);
  out += command.substr(std::min(command.find(' '), command.size()));
  return out;
}

std::string shellQuoted(std::string_view text) {
  const bool harmless = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+:@%,=").find(c) != npos || static_cast<unsigned char>(c) >= 0x80;
  });
  if (harmless) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "'\\'";
    out += c;
  }
  return out + "'";
}

void addCommentLine(std::string &out, std::string_view line) {
  line = trimmed(line);
  if (line.empty() && out.empty()) return;
  out += "> ";
  out += line;
  out += '\n';
}

// The text between two marks at the start of `rest`, such as """ and """.
std::string enclosed(std::string_view rest, std::string_view closing) {
  std::string out;
  const std::size_t end = std::min({rest.find(closing), rest.size(), longestComment});
  for (std::string_view text = cutUtf8(rest, end); !text.empty();) {
    std::string_view line = trimmed(takeLine(text));
    if (closing == "*/" && line.substr(0, 1) == "*") line.remove_prefix(1);
    addCommentLine(out, line);
  }
  return out;
}

// The first comment of a script: a doc string, a block, or lines.
std::string firstComment(std::string_view document, std::string_view mark) {
  std::string out;
  for (std::string_view rest = document; !rest.empty() && out.size() < longestComment;) {
    const std::string_view here = rest;
    const std::string_view line = trimmed(takeLine(rest));
    if (line.substr(0, 2) == "#!" && here.data() == document.data()) continue;
    if (line.empty() && out.empty()) continue;
    const std::string_view body =
        here.substr(std::min(here.find_first_not_of(" \t\r"), here.size()));
    const std::string_view quotes = body.substr(0, 3);
    if (mark == "#" && (quotes == R"(""")" || quotes == "'''"))
      return out + enclosed(body.substr(3), quotes);
    if (mark == "//" && body.substr(0, 2) == "/*")
      return out + enclosed(body.substr(std::min(body.find_first_not_of("/*"), body.size())), "*/");
    if (line.substr(0, mark.size()) != mark) break;
    const std::string_view text = line.substr(mark.size());
    // Notes to tools, not to readers: coding lines, inline script metadata, type checks.
    if (text.find("coding:") != npos || text.substr(0, 5) == " /// ") continue;
    addCommentLine(out, cutUtf8(text, 200));
  }
  return out;
}

} // namespace

bool isScript(std::string_view path, std::string_view document) noexcept {
  return document.substr(0, 2) == "#!" || languageOf(path) != nullptr;
}

std::string describeScript(std::string_view path, std::string_view location,
                           std::string_view document) {
  const Language *language = languageOf(path);
  std::string_view rest = document;
  std::string interpreter = interpreterOf(takeLine(rest));
  if (interpreter.empty() && language != nullptr) interpreter = language->interpreter;

  std::string out = "`" + std::string(path) + "` is a script. ";
  const bool remote = location.find("://") != npos;
  out += remote ? "Its file is not on this machine: read the resource `" + std::string(location) +
                      "`, save it, and run the copy. Its source need not be studied first:\n\n    "
                : "Run it; its source need not be studied first:\n\n    ";
  if (!interpreter.empty()) out += interpreter + " ";
  const std::size_t slash = path.rfind('/');
  out += shellQuoted(remote ? path.substr(slash == npos ? 0 : slash + 1) : location);
  out += '\n';
  const std::string comment =
      mendUtf8(firstComment(document, language == nullptr ? "#" : language->comment));
  if (!comment.empty()) out += "\nWhat it says about itself:\n\n" + comment;
  return out;
}

} // namespace skillhost
