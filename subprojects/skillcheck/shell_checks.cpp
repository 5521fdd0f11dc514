// SPDX-License-Identifier: Apache-2.0
// Reads commands that check sums and signatures, and clears the downloads that they prove.
#include "shell_command.hpp"

#include "skillmd/characters.hpp"
#include "text_tools.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace skillhost {

// Returns true if the command checks sums or signatures. Other commands of the same programs, such
// as `gh repo view`, check nothing.
bool ShellCommand::isCheck(std::string_view name) const {
  const std::string_view first = word(1);
  const std::string_view second = word(2);
  if (name == "gpgv") return true;
  if (name == "cosign")
    return first == "verify" || first == "verify-blob" || first == "verify-attestation" ||
           first == "verify-blob-attestation";
  if (name == "slsa-verifier")
    return first == "verify-artifact" || first == "verify-image" || first == "verify-npm-package" ||
           first == "verify-github-attestation" || first == "verify-vsa";
  if (name == "gh")
    return ((first == "attestation" || first == "at") && second == "verify") ||
           (first == "release" && (second == "verify" || second == "verify-asset"));
  for (std::size_t i = 1; i < words_.size(); ++i) {
    const std::string_view one = word(i);
    const bool areLetters = one.size() > 1 && one[0] == '-' && one[1] != '-';
    if (name == "gpg" && (one == "--verify" || one == "--verify-files")) return true;
    if (name == "minisign" && areLetters && one.find('V') != npos) return true;
    if (name.ends_with("sum") && (one == "--check" || (areLetters && one.find('c') != npos)))
      return true;
  }
  return false;
}

// Carries out a check of sums or signatures. It clears only the files that it names: those on a
// list of sums that is written in the text, the file for which a list or a signature is named, and
// those that a program for signatures gets. A list that was downloaded proves nothing, because
// whoever changes the download can change the list. The same holds for a list of sums that a
// program has made from the download.
Data ShellCommand::verify(std::string_view name) {
  Data output;
  std::vector<std::string_view> operands;
  const bool isSum = name.ends_with("sum");
  for (std::size_t i = 1; i < words_.size(); ++i) {
    const std::string_view one = word(i);
    const bool isOption = one.size() > 1 && one.starts_with('-');
    const std::string_view before = word(i - 1);
    const bool isValue = (before.starts_with("--") && before.find('=') == npos &&
                          before != "--verify" && before != "--check") ||
                         before == "-a";
    if (!isOption && !isValue) operands.push_back(one);
  }
  if (!isCheck(name)) {
    if (!isSum) return output;
    output.takeOriginOf(input_);
    for (const std::string_view one : operands) {
      if (const Data *file = reader_.savedFile(one)) output.takeOriginOf(*file);
      // A pattern may stand for any file.
      if (one.find_first_of("*?[") != npos && reader_.spend(reader_.files_.size() * 16))
        for (const auto &[known, data] : reader_.files_) output.takeOriginOf(data);
    }
    return output;
  }
  const auto withoutEnding = [](std::string_view file) {
    return file.substr(0, std::min(file.rfind('.'), file.size()));
  };
  if (!isSum) {
    if (name == "gpg" || name == "gpgv") { // the signature comes first
      if (operands.size() == 1) reader_.trust(withoutEnding(operands[0]));
      if (!operands.empty()) operands.erase(operands.begin());
    }
    for (const std::string_view file : operands) reader_.trust(file);
    return output;
  }
  if (operands.empty() || operands[0] == "-" || operands[0] == "/dev/stdin") verifyList(input_);
  for (const std::string_view file : operands) {
    const Data *list = reader_.savedFile(file);
    if (list != nullptr && !list->text.empty())
      verifyList(*list);
    else if (list == nullptr || !list->isUnseen())
      reader_.trust(withoutEnding(file));
  }
  return output;
}

// Clears the files that a list of sums names. Each of its lines has a sum, perhaps as a variable,
// and a file.
void ShellCommand::verifyList(const Data &list) {
  if (list.isUnseen() || !reader_.spend(list.text.size())) return;
  constexpr std::size_t shortestSum = 32; // hexadecimal digits
  for (std::string_view rest = list.text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmedLine(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t blank = line.find_last_of(" *");
    if (blank == npos) continue;
    const std::string_view sum = line.substr(0, line.find(' '));
    const bool isDigest = sum.find_first_not_of("0123456789abcdefABCDEF") == npos
                              ? sum.size() >= shortestSum
                              : sum.find_first_of("$<{") != npos;
    if (isDigest) reader_.trust(line.substr(blank + 1));
  }
}

} // namespace skillhost
