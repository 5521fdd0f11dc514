// SPDX-License-Identifier: Apache-2.0
// Glob: a pattern for relative paths.
//
//   *      any characters but `/`          **     as a whole path segment: any number of segments
//   ?      one character but `/`           [a-z]  one of these, [!a-z] none of these; never `/`
//   {a,b}  one of the alternatives         \x     x itself
//
// A pattern matches the whole path: `*.md` only files at the top, `**/*.md` every one, `a/**` all
// below a. Hidden files are files like others. A pattern always matches the path that is spelled
// exactly as it is, so a path is a pattern, too.
#pragma once

#include "ground/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

class Glob {
public:
  // InvalidInput: empty, longer than 1,000 bytes, not UTF-8, or a bracket that is never closed.
  static Result<Glob> compile(std::string_view pattern);

  // At most pattern × path steps, no allocation. Any thread.
  bool matches(std::string_view path) const noexcept {
    std::size_t steps = static_cast<std::size_t>(-1);
    return matches(path, steps);
  }
  // The same for who matches many paths with a stranger's pattern: takes the steps (of some
  // nanoseconds) from `left`. With 0 left it has given up, and says no.
  bool matches(std::string_view path, std::size_t &left) const noexcept {
    return matches(path, Below::No, left);
  }
  // Whether it matches the path, or a folder above it.
  bool matchesOrAbove(std::string_view path) const noexcept {
    std::size_t steps = static_cast<std::size_t>(-1);
    return matches(path, Below::Yes, steps);
  }

private:
  enum class Below : std::uint8_t { No, Yes };
  bool matches(std::string_view path, Below below, std::size_t &left) const noexcept;
  friend class GlobCompiler;
  enum class Kind : std::uint8_t {
    Character,
    AnyCharacter,
    Class,
    AnyOf,
    Everything,
    Fork,
    Jump,
    End
  };
  struct Step {
    Kind kind;
    bool negated = false;        // Class
    std::uint32_t character = 0; // Character
    std::uint16_t first = 0;     // Class: of ranges_; Fork: the other way; Jump: where to
    std::uint16_t count = 0;     // Class: of ranges_
  };
  struct States;

  Glob() = default;
  bool accepts(const Step &step, std::uint32_t character) const noexcept;
  // How many steps were looked at.
  std::size_t add(States &states, std::uint16_t at) const noexcept;

  std::string pattern_;
  std::vector<Step> steps_; // empty: only the exact spelling
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges_;
};

} // namespace skillhost
