// SPDX-License-Identifier: Apache-2.0
#include "skillcheck/inspect_file.hpp"

#include "ground/utf8.hpp"
#include "skillcheck/inspect_text.hpp"
#include "skillcheck/leaked_keys.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace skillhost {
namespace {

using namespace std::string_view_literals;

bool beginsWithOneOf(std::string_view bytes, std::span<const std::string_view> marks) {
  return std::any_of(marks.begin(), marks.end(),
                     [&](std::string_view mark) { return bytes.starts_with(mark); });
}

// Returns true for a program that a system loads itself. A shell runs any other executable file,
// and also one of these without a NUL in its first line.
bool isCompiled(std::string_view bytes) {
  constexpr std::array marks{"\x7F"
                             "ELF"sv,
                             "MZ"sv,
                             "\xFE\xED\xFA\xCE"sv,
                             "\xFE\xED\xFA\xCF"sv,
                             "\xCE\xFA\xED\xFE"sv,
                             "\xCF\xFA\xED\xFE"sv,
                             "\xCA\xFE\xBA\xBE"sv,
                             "\0asm"sv};
  return beginsWithOneOf(bytes, marks) && bytes.find('\0') < bytes.find('\n');
}

// Returns true for pictures, fonts, archives and other data that nobody takes for a program, even
// if a file system calls every file executable.
bool isKnownData(std::string_view bytes) {
  constexpr std::array marks{"\x89PNG"sv,
                             "\xFF\xD8\xFF"sv,
                             "GIF8"sv,
                             "RIFF"sv,
                             "\0\0\1\0"sv,
                             "II*\0"sv,
                             "MM\0*"sv,
                             "%PDF-"sv,
                             "PK\3\4"sv,
                             "PK\5\6"sv,
                             "\x1F\x8B"sv,
                             "BZh"sv,
                             "\xFD"
                             "7zXZ"sv,
                             "\x28\xB5\x2F\xFD"sv,
                             "7z\xBC\xAF"sv,
                             "wOFF"sv,
                             "wOF2"sv,
                             "OTTO"sv,
                             "ttcf"sv,
                             "\0\1\0\0"sv,
                             "SQLite format 3\0"sv,
                             "OggS"sv,
                             "ID3"sv,
                             "fLaC"sv,
                             "\xD0\xCF\x11\xE0"sv};
  return beginsWithOneOf(bytes, marks) || bytes.substr(0, 8).ends_with("ftyp"sv);
}

std::string withoutNul(std::string_view bytes) {
  std::string out(bytes);
  std::erase(out, '\0');
  return out;
}

// Characters that hide text from a person tell nothing about bytes that only a shell reads.
bool isForPersons(const Finding &finding) {
  return finding.code.starts_with("hidden.") && finding.code != "hidden.unread-program";
}

class FileInspection {
public:
  FileInspection(std::string_view file, std::span<const SiteRule> siteRules)
      : file_(file), siteRules_(siteRules) {}

  void read(std::string_view text) {
    if (text.empty()) return;
    add(findLeakedKeys(text, file_));
    add(inspectText(text, file_, siteRules_));
  }

  // Reads bytes that are a text only to a shell.
  void readForShell(std::string_view bytes) {
    if (bytes.empty()) return;
    add(findLeakedKeys(bytes, file_));
    std::vector<Finding> found = inspectText(
        bytes, file_, siteRules_, namesText(file_) ? TextKind::ByName : TextKind::Program);
    std::erase_if(found, isForPersons);
    add(std::move(found));
  }

  std::vector<Finding> take() { return std::move(found_); }

private:
  // A rule that was met in another reading, too, is reported where it is more severe.
  void add(std::vector<Finding> more) {
    const std::size_t known = found_.size();
    for (Finding &finding : more) {
      const auto end = found_.begin() + static_cast<std::ptrdiff_t>(known);
      const auto same = std::find_if(found_.begin(), end, [&](const Finding &other) {
        return other.code == finding.code &&
               (finding.code != "leaked-key" || other.line == finding.line);
      });
      if (same == end)
        found_.push_back(std::move(finding));
      else if (finding.severity < same->severity)
        *same = std::move(finding);
    }
  }

  const std::string_view file_;
  const std::span<const SiteRule> siteRules_;
  std::vector<Finding> found_;
};

} // namespace

std::vector<Finding> inspectFile(std::string_view bytes, std::string_view file, FileMode mode,
                                 Severity unread, std::span<const SiteRule> siteRules) {
  FileInspection inspection(file, siteRules);
  std::string room;
  const std::string_view decoded = withoutUtf16(bytes, room);
  if (decoded.data() != bytes.data()) {
    inspection.read(decoded);
    // A text that is UTF-16 and ASCII is read once.
    const std::string behind = withoutNul(bytes.substr(2));
    if (behind != decoded) inspection.readForShell(behind);
    return inspection.take();
  }
  const bool isProgram = mode == FileMode::Executable || namesText(file) || bytes.starts_with("#!");
  if (bytes.find('\0') == std::string_view::npos || (!isProgram && !isData(bytes, file))) {
    inspection.read(bytes);
    return inspection.take();
  }
  if (!isProgram || (mode == FileMode::Executable && isCompiled(bytes))) return {};
  // Interpreters differ: some drop a NUL, others end a word there.
  if (isData(bytes, file))
    inspection.readForShell(bytes);
  else
    inspection.read(bytes);
  inspection.readForShell(withoutNul(bytes));
  std::vector<Finding> found = inspection.take();
  if (mode == FileMode::Executable && !isKnownData(bytes))
    found.push_back({unread, "not-inspected", std::string(file), 0, 0,
                     "not looked through as a whole: it is executable and has NUL bytes, but is in "
                     "no known format of binary files",
                     "keep data out of scripts, or take it out of the skill"});
  return found;
}

} // namespace skillhost
