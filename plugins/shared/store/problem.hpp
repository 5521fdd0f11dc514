// SPDX-License-Identifier: Apache-2.0
// Why the store did not do what it was asked.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace skillhost::store {

enum class Problem : std::uint8_t {
  Refused, // what was given breaks a rule: doing it again cannot help
  Missing, // there is no such skill or version
  Corrupt, // what is stored does not verify
  Denied,  // the system does not let this user
  Failed,  // the system could not: no space, an error of the disk
};

// The message names the skill or the file, and says what to do where somebody can do something.
class StoreError : public std::runtime_error {
public:
  StoreError(Problem problem, const std::string &message)
      : std::runtime_error(message), problem_(problem) {}
  Problem problem() const noexcept { return problem_; }

private:
  Problem problem_;
};

// Of errno: "PATH: WHAT: Permission denied".
[[noreturn]] void failOfSystem(const std::string &path, const std::string &what);

} // namespace skillhost::store
