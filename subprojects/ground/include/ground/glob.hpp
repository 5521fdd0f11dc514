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
  // Fails with InvalidInput if the pattern is empty, longer than 1,000 bytes, not UTF-8, or has an
  // unclosed bracket.
  static Result<Glob> compile(std::string_view pattern);

  // Takes at most pattern × path steps and allocates nothing. May be called on any thread.
  bool matches(std::string_view path) const noexcept {
    std::size_t steps = static_cast<std::size_t>(-1);
    return matches(path, steps);
  }
  // Does the same with a limit, for matching many paths with a stranger's pattern. Subtracts the
  // steps (of some nanoseconds each) from `left`. When none are left, it gives up and returns
  // false.
  bool matches(std::string_view path, std::size_t &left) const noexcept {
    return matches(path, Below::No, left);
  }
  // Returns true if it matches the path or a folder above it.
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
    bool negated = false;        // for Class
    std::uint32_t character = 0; // for Character
    std::uint16_t first = 0;     // Class: index in ranges_; Fork: other branch; Jump: target
    std::uint16_t count = 0;     // Class: number of ranges
  };
  struct States;

  Glob() = default;
  bool accepts(const Step &step, std::uint32_t character) const noexcept;
  // Returns the number of steps visited.
  std::size_t add(States &states, std::uint16_t at) const noexcept;

  std::string pattern_;
  std::vector<Step> steps_; // empty: matches only the exact spelling
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges_;
};

} // namespace skillhost
