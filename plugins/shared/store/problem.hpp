// SPDX-License-Identifier: Apache-2.0
// Reasons why the store did not perform an operation.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace skillhost::store {

enum class Problem : std::uint8_t {
  Refused, // the input breaks a rule, so repeating it cannot help
  Missing, // there is no such skill or version
  Corrupt, // the stored data does not verify
  Denied,  // the system denies access to this user
  Failed,  // the system failed: no space, or an error of the disk
};

// The message names the skill or the file, and says what to do if something can be done.
class StoreError : public std::runtime_error {
public:
  StoreError(Problem problem, const std::string &message)
      : std::runtime_error(message), problem_(problem) {}
  Problem problem() const noexcept { return problem_; }

private:
  Problem problem_;
};

// Throws an error from errno: "PATH: WHAT: Permission denied".
[[noreturn]] void failOfSystem(const std::string &path, const std::string &what);

} // namespace skillhost::store
