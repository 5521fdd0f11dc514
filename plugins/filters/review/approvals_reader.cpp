// SPDX-License-Identifier: Apache-2.0
#include "approvals_reader.hpp"

#include "base/document_path.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/json_text.hpp"
#include "ground/time_reading.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace skillhost {
namespace {

constexpr std::int64_t newestApprovals = 1;
constexpr std::size_t blake3Digits = 64;
constexpr const char *versionMember = "skillhost.approvals";

std::string quotedKey(std::string_view text) {
  std::string out;
  appendJsonString(out, text);
  return out;
}

std::string shortened(const std::string &text) {
  return '"' + text.substr(0, 100) + (text.size() > 100 ? "…\"" : "\"");
}

std::size_t lineAt(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

// Returns the line of a message such as "not JSON at byte 17: …"; 0 if it names none.
std::size_t lineOfMessage(std::string_view text, std::string_view message) {
  constexpr std::string_view mark = "at byte ";
  const std::size_t at = message.find(mark);
  if (at == std::string_view::npos) return 0;
  std::size_t byte = 0;
  const char *const begin = message.data() + at + mark.size();
  const auto [end, error] = std::from_chars(begin, message.data() + message.size(), byte);
  return error == std::errc{} && end != begin ? lineAt(text, byte) : 0;
}

} // namespace

std::size_t ApprovalsReader::lineOf(std::string_view key, std::size_t from) const {
  const std::string wanted = quotedKey(key);
  for (std::size_t at = from; (at = text_.find(wanted, at)) != std::string_view::npos; ++at) {
    const std::size_t next = text_.find_first_not_of(" \t\r\n", at + wanted.size());
    if (next != std::string_view::npos && text_[next] == ':') return lineAt(text_, at);
  }
  return 0;
}

bool ApprovalsReader::wrong(std::string_view member, const std::string &why) {
  where_ = "skills." + shortened(skill_);
  line_ = lineOf(skill_, 0);
  if (!member.empty()) {
    (where_ += '.') += member;
    // The search begins at the entry, because an earlier entry may have a member of this name.
    const std::size_t entry = text_.find(quotedKey(skill_));
    if (entry != std::string_view::npos)
      if (const std::size_t line = lineOf(member, entry); line != 0) line_ = line;
  }
  why_ = why;
  return false;
}

Failure ApprovalsReader::failure() const {
  return {Fault::InvalidFormat, file_ + (line_ == 0 ? "" : ':' + std::to_string(line_)) + ": " +
                                    (where_.empty() ? "" : where_ + ": ") + why_};
}

bool ApprovalsReader::readText(const Json &entry, const char *name, bool required,
                               std::string &to) {
  const auto found = entry.find(name);
  if (found == entry.end()) return !required || wrong("", std::string(name) + " is missing");
  if (!found->is_string() || found->get_ref<const std::string &>().empty())
    return wrong(name, "must be a string that is not empty");
  to = found->get<std::string>();
  return true;
}

bool ApprovalsReader::readMoments(const Json &entry, Decision &to) {
  std::string when, expires;
  if (!readText(entry, "when", true, when) || !readText(entry, "expires", false, expires))
    return false;
  constexpr const char *advice = " is not a time in UTC such as \"2027-01-31T12:00:00Z\"";
  const std::optional<std::int64_t> moment = timeFromText(when);
  if (!moment) return wrong("when", shortened(when) + advice);
  to.when = *moment;
  if (expires.empty()) return true;
  to.expires = timeFromText(expires);
  return to.expires || wrong("expires", shortened(expires) + advice);
}

bool ApprovalsReader::readFiles(const Json &entry, Decision &to) {
  const auto files = entry.find("files");
  if (files == entry.end()) return true;
  if (!files->is_object()) return wrong("files", "must be an object of files by their paths");
  for (const auto &[path, file] : files->items()) {
    const std::string where = "files." + shortened(path);
    if (const std::string_view fault = faultInDocumentPath(path); !fault.empty())
      return wrong("files", shortened(path) + ": a path that " + std::string(fault));
    if (!file.is_object()) return wrong("files", where + ": must be an object");
    LockedDocument &one = to.files[path];
    for (const auto &[name, value] : file.items()) {
      const bool good = name == "size"         ? value.is_number_unsigned()
                        : name == "executable" ? value.is_boolean()
                        : name == "blake3"
                            ? value.is_string() &&
                                  isHexadecimal(value.get_ref<const std::string &>(), blake3Digits)
                            : false;
      if (!good)
        return wrong("files", where + ": " + shortened(name) +
                                  " is no size, blake3 (64 digits) or executable");
    }
    if (!file.contains("size") || !file.contains("blake3"))
      return wrong("files", where + ": size and blake3 are required");
    one.size = file["size"].get<std::uint64_t>();
    one.digest = file["blake3"].get<std::string>();
    one.executable = file.contains("executable") && file["executable"].get<bool>();
  }
  return true;
}

bool ApprovalsReader::readDigest(const Json &entry, Decision &to) {
  if (!readText(entry, "digest", !to.files.empty(), to.digest)) return false;
  if (to.files.empty())
    return to.digest.empty() ||
           wrong("digest",
                 "there are no files for this digest: remove it, or decide with skillhost review");
  if (to.digest == contentDigest(to.files)) return true;
  return wrong("digest", "the digest does not match the files below it, because one of them, or "
                         "the digest, was changed by hand: decide again with skillhost review");
}

bool ApprovalsReader::readEntry(const std::string &skill, const Json &entry, Decision &to) {
  skill_ = skill;
  const std::size_t slash = skill.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == skill.size())
    return wrong("", "a skill is named <source>/<path>");
  if (!entry.is_object()) return wrong("", "must be an object");
  constexpr std::array<std::string_view, 7> known{"verdict", "digest",  "who",  "when",
                                                  "reason",  "expires", "files"};
  for (const auto &[name, value] : entry.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      return wrong(name, "unknown; known are verdict, digest, who, when, reason, expires, files");
  std::string verdict;
  if (!readText(entry, "verdict", true, verdict)) return false;
  if (verdict != "approve" && verdict != "reject")
    return wrong("verdict", R"(must be "approve" or "reject", is )" + shortened(verdict));
  to.verdict = verdict == "approve" ? Verdict::Approve : Verdict::Reject;
  if (!readText(entry, "who", true, to.who) || !readText(entry, "reason", false, to.reason))
    return false;
  if (to.who.size() > maxReviewerBytes) return wrong("who", "is longer than 1,024 bytes");
  if (to.reason.size() > maxDecisionReasonBytes)
    return wrong("reason", "is longer than 10,000 bytes");
  if (!readMoments(entry, to) || !readFiles(entry, to) || !readDigest(entry, to)) return false;
  return to.verdict == Verdict::Reject || !to.files.empty() ||
         wrong("",
               "an approval must name the files that were reviewed: decide with skillhost review");
}

Result<Approvals> ApprovalsReader::read() {
  const Result<Json> whole = parseJson(text_, {8, 10'000'000});
  if (!whole) {
    line_ = lineOfMessage(text_, whole.failure().message);
    why_ = whole.failure().message;
    return failure();
  }
  why_ = std::string("this is not a file of approvals: it has to be {\"") + versionMember +
         "\": 1, \"skills\": {…}}";
  if (!whole->is_object() || !whole->contains(versionMember)) return failure();
  const Json &version = (*whole)[versionMember];
  if (!version.is_number_integer() || version < 1) return failure();
  if (version > newestApprovals)
    return Failure{Fault::InvalidFormat, file_ + ": it was written by a newer skillhost (version " +
                                             version.dump() + "); this one reads version " +
                                             std::to_string(newestApprovals)};
  for (const auto &[name, value] : whole->items())
    if (name != versionMember && name != "skills") {
      line_ = lineOf(name, 0);
      why_ = shortened(name) + ": unknown; known are " + versionMember + " and skills";
      return failure();
    }
  const auto skills = whole->find("skills");
  if (skills == whole->end() || !skills->is_object()) return failure();
  Approvals approvals;
  for (const auto &[skill, entry] : skills->items())
    if (!readEntry(skill, entry, approvals.skills[skill])) return failure();
  return approvals;
}

} // namespace skillhost
