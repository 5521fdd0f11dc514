// SPDX-License-Identifier: Apache-2.0
#include "skills/content_scan.hpp"

#include "characters.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace skillhost {
namespace {

unsigned char byteAt(std::string_view text, std::size_t at) noexcept {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}
bool asciiAt(std::string_view text, std::size_t at) noexcept {
  return at >= text.size() || byteAt(text, at) < 0x80;
}
char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// A black flag and tag characters behind it are an emoji; returns their length, or 0.
std::size_t flagLength(std::string_view text, std::size_t at) noexcept {
  if (text.substr(at, 4) != "\xF0\x9F\x8F\xB4") return 0;
  std::size_t end = at + 4;
  constexpr std::size_t longest = 4 + 4 * 8;
  while (end - at <= longest && end < text.size() && text.substr(end, 2) == "\xF3\xA0") {
    if (text.substr(end, 4) == "\xF3\xA0\x81\xBF") return end + 4 - at;
    end += 4;
  }
  return 0;
}

// The characters U+2000 to U+2064 that hide or turn text around.
void lookAtPunctuation(std::string_view text, std::size_t at, const NoticeUnwise &notice) {
  const unsigned char second = byteAt(text, at + 1);
  const unsigned char third = byteAt(text, at + 2);
  if (second == 0x80) {
    if (third >= 0xAA && third <= 0xAE) notice(Unwise::BidiControl, at);
    if (third == 0x8B) notice(Unwise::ZeroWidth, at);
    // Joiners belong between letters of some scripts and in emoji, not in ASCII.
    if ((third == 0x8C || third == 0x8D) && asciiAt(text, at + 3) &&
        (at == 0 || asciiAt(text, at - 1)))
      notice(Unwise::ZeroWidth, at);
  } else if (second == 0x81) {
    if (third >= 0xA6 && third <= 0xA9) notice(Unwise::BidiControl, at);
    if (third >= 0xA0 && third <= 0xA4) notice(Unwise::ZeroWidth, at);
  }
}

bool speaksToReader(std::string_view comment) {
  constexpr std::array<std::string_view, 14> words{
      "ignore ",       "instruction",    "you must", "system prompt",  "do not tell",
      "don't tell",    "do not mention", "secretly", "without asking", "assistant",
      "do not reveal", "exfiltrate",     "password", "the user"};
  std::string text(comment.substr(0, 4096));
  std::transform(text.begin(), text.end(), text.begin(), lower);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

// Whether a command behind a pipe at `at` is a shell or an interpreter.
bool runsInput(std::string_view line, std::size_t at) noexcept {
  constexpr std::array<std::string_view, 10> runners{"sh",   "bash",   "zsh",     "dash", "ksh",
                                                     "fish", "python", "python3", "perl", "ruby"};
  const auto word = [&] {
    while (at < line.size() && line[at] == ' ') ++at;
    const std::size_t start = at;
    while (at < line.size() && std::string_view(" `;|&)\"'").find(line[at]) == npos) ++at;
    std::string_view found = line.substr(start, at - start);
    if (const std::size_t slash = found.rfind('/'); slash != npos) found.remove_prefix(slash + 1);
    return found;
  };
  std::string_view command = word();
  for (int skipped = 0;
       skipped < 4 && (command == "sudo" || command == "env" || command.substr(0, 1) == "-");
       ++skipped)
    command = word();
  return std::find(runners.begin(), runners.end(), command) != runners.end();
}

bool wordAt(std::string_view line, std::size_t at, std::string_view word) noexcept {
  return line.substr(at, word.size()) == word && byteAt(line, at + word.size()) == ' ';
}

// One line, from left to right: what was fetched or decoded, and what is then run.
void scanLine(std::string_view line, std::size_t offset, const NoticeUnwise &notice) {
  bool fetched = false;
  bool decoded = false;
  bool substitutes = false; // `sh -c "$(`, `eval "$(`, `bash <(` came before
  for (std::size_t at = 0; at < line.size(); ++at) {
    switch (line[at]) {
    case 'c':
    case 'w':
      if (!wordAt(line, at, "curl") && !wordAt(line, at, "wget")) break;
      fetched = true;
      if (substitutes) notice(Unwise::FetchAndRun, offset + at);
      break;
    case 'b':
      if (wordAt(line, at, "base64")) decoded = true;
      break;
    case '|':
      if (byteAt(line, at + 1) == '|') {
        ++at; // `||` is no pipe
        break;
      }
      if ((fetched || decoded) && runsInput(line, at + 1))
        notice(decoded ? Unwise::DecodeAndRun : Unwise::FetchAndRun, offset + at);
      break;
    case '$':
    case '<': {
      if (byteAt(line, at + 1) != '(') break;
      const std::string_view before =
          line.substr(at < 16 ? 0 : at - 16, std::min<std::size_t>(at, 16));
      substitutes = before.find("sh ") != npos || before.find("eval ") != npos ||
                    before.find("source ") != npos;
      break;
    }
    default:
      break;
    }
  }
}

} // namespace

void scanHiddenCharacters(std::string_view document, const NoticeUnwise &notice) {
  for (std::size_t at = 0; at < document.size(); ++at) {
    switch (static_cast<unsigned char>(document[at])) {
    case 0xE2:
      lookAtPunctuation(document, at, notice);
      break;
    case 0xEF:
      if (at != 0 && document.substr(at, 3) == "\xEF\xBB\xBF") notice(Unwise::ZeroWidth, at);
      break;
    case 0xF0:
      if (const std::size_t flag = flagLength(document, at); flag != 0) at += flag - 1;
      break;
    case 0xF3:
      if (byteAt(document, at + 1) == 0xA0 && (byteAt(document, at + 2) & 0xFEU) == 0x80)
        notice(Unwise::TagCharacter, at);
      break;
    default:
      break;
    }
  }
}

void scanComments(std::string_view document, const NoticeUnwise &notice) {
  for (std::size_t at = document.find("<!--"); at != npos;) {
    const std::size_t end = document.find("-->", at + 4);
    const std::size_t past = end == npos ? document.size() : end;
    if (speaksToReader(document.substr(at + 4, past - at - 4)))
      notice(Unwise::HiddenInstruction, at);
    at = past == document.size() ? npos : document.find("<!--", past);
  }
}

void scanCommands(std::string_view document, const NoticeUnwise &notice) {
  for (std::size_t at = document.find("!`"); at != npos; at = document.find("!`", at + 2)) {
    const bool begins = at == 0 || document[at - 1] == ' ' || document[at - 1] == '\n';
    if (begins && byteAt(document, at + 2) != '`' && asciiAt(document, at + 2))
      notice(Unwise::InlineCommand, at);
  }
  for (std::size_t start = 0; start < document.size();) {
    const std::size_t end = std::min(document.find('\n', start), document.size());
    scanLine(document.substr(start, end - start), start, notice);
    start = end + 1;
  }
}

} // namespace skillhost
