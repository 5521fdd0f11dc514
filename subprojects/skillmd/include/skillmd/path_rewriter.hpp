// SPDX-License-Identifier: Apache-2.0
// From a word of a text to the path its reader can use.
#pragma once

#include "skillmd/reader_content.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace skillhost {

// `path` without `.`, `..` and double slashes; nullopt when it is absolute, empty or leads out.
std::optional<std::string> normaliseRelative(std::string_view path);

// One document's worth of look-ups. Keeps references to the context: one thread, short life.
class PathRewriter {
public:
  // Where the word was found: running text asks for the looks of a path, a link's target does not,
  // nor does a whole span of code.
  enum class Origin : std::uint8_t { Text, Link, Code };

  explicit PathRewriter(const ReaderContext &context);
  bool active() const noexcept { return !base_.empty(); }
  // Whether paths become URIs.
  bool uri() const noexcept { return uri_; }
  // What ${CLAUDE_SKILL_DIR} stands for.
  const std::string &base() const noexcept { return base_; }
  // The word with the path in it rewritten; nullopt when no file is named. `word` may carry an
  // anchor, a line number, a full stop, an `@` or `--option=` with it.
  std::optional<std::string> rewrite(std::string_view word, Origin origin);

  // A path behind a placeholder for a folder: the file or folder of the skill that it names.
  struct Below {
    std::string path;      // relative to the skill
    std::string_view rest; // of the word, behind the path
  };
  std::optional<Below> below(std::string_view word, FolderPrefix::Of of) const;
  // As the reader needs it; `path` is relative to the skill.
  std::string ofSkill(const std::string &path) const;

  // Says that nothing has this path. It must be part of the document.
  void noteAbsent(std::string_view path, Origin origin) const;
  bool has(const std::string &path) const { return context_.files.has(path); }
  // Says whether the next words stand in fenced code.
  void inFence(bool is) noexcept { fenced_ = is; }

private:
  std::optional<std::string> locate(std::string_view path, Origin origin);
  std::optional<std::string> besideDocument(std::string_view path, Origin origin) const;
  std::optional<std::string> own(const std::string &normal, std::string_view path,
                                 Origin origin) const;
  std::string_view inOtherCase(std::string_view path, Origin origin) const;
  std::optional<std::string> inSkill(std::string_view path, FolderPrefix::Of of,
                                     bool folders) const;
  bool projectHas(const std::string &path);

  const ReaderContext &context_;
  bool uri_, fenced_ = false;
  std::string base_, project_;
  std::unordered_map<std::string, bool> asked_;
};

} // namespace skillhost
