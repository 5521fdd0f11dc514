// SPDX-License-Identifier: Apache-2.0
// Turns a word of a text into the path that its reader can use.
#pragma once

#include "skillmd/reader_content.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace skillhost {

// Returns `path` without `.`, `..` and double slashes; nothing if it is absolute, empty or leaves
// the folder.
std::optional<std::string> normaliseRelative(std::string_view path);

// Resolves the paths of one document. It keeps references to the context, so use it on one thread
// and for a short time.
class PathRewriter {
public:
  // The place of a word. In running text it must look like a path; in a link's target or a whole
  // code span it need not.
  enum class Origin : std::uint8_t { Text, Link, Code };

  explicit PathRewriter(const ReaderContext &context);
  bool active() const noexcept { return !base_.empty(); }
  // True if paths become URIs.
  bool uri() const noexcept { return uri_; }
  // The text for ${CLAUDE_SKILL_DIR}.
  const std::string &base() const noexcept { return base_; }
  // Returns the word with its path rewritten; nothing if it names no file. The word may also
  // contain an anchor, a line number, a full stop, an `@` or `--option=`.
  std::optional<std::string> rewrite(std::string_view word, Origin origin);

  // The skill's file or folder that a path behind a folder placeholder names.
  struct Below {
    std::string path;      // relative to the skill
    std::string_view rest; // the part of the word behind the path
  };
  std::optional<Below> below(std::string_view word, FolderPrefix::Of of) const;
  // Returns `path`, which is relative to the skill, in the reader's form.
  std::string ofSkill(const std::string &path) const;

  // Reports that nothing has this path. `path` must be a part of the document.
  void noteAbsent(std::string_view path, Origin origin) const;
  bool has(const std::string &path) const { return context_.files.has(path); }
  // Sets whether the next words stand in fenced code.
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
