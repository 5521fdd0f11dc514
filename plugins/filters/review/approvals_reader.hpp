// SPDX-License-Identifier: Apache-2.0
// From the text of a file of approvals, which somebody may have edited by hand, to the decisions in
// it, or to the place that is wrong.
#pragma once

#include "ground/json.hpp"
#include "review/approvals.hpp"

#include <string>
#include <string_view>

namespace skillhost {

class ApprovalsReader {
public:
  // Both must outlive it. `file` is named in messages.
  ApprovalsReader(std::string_view text, const std::string &file) : text_(text), file_(file) {}

  // Once. What is not understood is refused as a whole: a word that is written wrongly must not
  // make an approval of something else.
  Result<Approvals> read();

private:
  bool readEntry(const std::string &skill, const Json &entry, Decision &to);
  bool readText(const Json &entry, const char *name, bool required, std::string &to);
  bool readMoments(const Json &entry, Decision &to);
  bool readFiles(const Json &entry, Decision &to);
  bool readDigest(const Json &entry, Decision &to);
  // Notes what is wrong with a member of the entry that is being read. Always false.
  bool wrong(std::string_view member, const std::string &why);
  Failure failure() const;
  std::size_t lineOf(std::string_view key, std::size_t from) const;

  const std::string_view text_;
  const std::string &file_;
  std::string skill_; // whose entry is being read
  std::string where_, why_;
  std::size_t line_ = 0;
};

} // namespace skillhost
