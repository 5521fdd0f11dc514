// SPDX-License-Identifier: Apache-2.0
// Reads the text of a file of approvals, which somebody may have edited by hand. Returns its
// decisions or names the place of an error.
#pragma once

#include "ground/json.hpp"
#include "review/approvals.hpp"

#include <string>
#include <string_view>

namespace skillhost {

class ApprovalsReader {
public:
  // Both must outlive the reader. `file` is named in messages.
  ApprovalsReader(std::string_view text, const std::string &file) : text_(text), file_(file) {}

  // Call it once. A file with an unknown member or a wrong value is refused as a whole, because a
  // misspelt word must not approve something else.
  Result<Approvals> read();

private:
  bool readEntry(const std::string &skill, const Json &entry, Decision &to);
  bool readText(const Json &entry, const char *name, bool required, std::string &to);
  bool readMoments(const Json &entry, Decision &to);
  bool readFiles(const Json &entry, Decision &to);
  bool readDigest(const Json &entry, Decision &to);
  // Records the error in a member of the entry that is being read. Always returns false.
  bool wrong(std::string_view member, const std::string &why);
  Failure failure() const;
  std::size_t lineOf(std::string_view key, std::size_t from) const;

  const std::string_view text_;
  const std::string &file_;
  std::string skill_; // of the entry that is being read
  std::string where_, why_;
  std::size_t line_ = 0;
};

} // namespace skillhost
