// SPDX-License-Identifier: Apache-2.0
#include "review/approvals.hpp"

#include "approvals_reader.hpp"
#include "ground/blake3.hpp"
#include "ground/json_text.hpp"
#include "ground/replace_file.hpp"
#include "ground/time_text.hpp"

namespace skillhost {
namespace {

constexpr int maxWriteAttempts = 100; // attempts while others write

void appendMember(std::string &out, const char *name, std::string_view value) {
  ((out += "      \"") += name) += "\": ";
  appendJsonString(out, value);
  out += ",\n";
}

void appendFiles(std::string &out, const LockedSkill &files) {
  out += "      \"files\": {";
  bool first = true;
  for (const auto &[path, file] : files) {
    out += first ? "\n        " : ",\n        ";
    appendJsonString(out, path);
    out += R"(: {"size": )" + std::to_string(file.size) + R"(, "blake3": ")" + file.digest + '"';
    out += file.executable ? R"(, "executable": true})" : "}";
    first = false;
  }
  out += files.empty() ? "}\n" : "\n      }\n";
}

// Returns the text of the file, to notice whether somebody else writes meanwhile; nothing if there
// is no file.
Result<std::optional<std::string>> textNow(const std::string &file, const ApprovalsKeys &keys) {
  Result<std::string> text = readSigned(file, keys);
  if (text) return std::optional(*std::move(text));
  if (text.failure().fault == Fault::NotFound) return std::optional<std::string>();
  return std::move(text).failure();
}

// The signature is written before the text, so that readers always find a valid pair.
Status writeApprovals(const std::string &file, const std::string &next, const std::string &before,
                      const ApprovalsSigning &signing) {
  const auto write = [&] {
    return replaceFile(file, next, FileReaders::Everybody, FileLinks::Follow, before);
  };
  if (signing.key == nullptr) return write();
  const Result<std::string> signatures = addSignature(file, next, *signing.key);
  if (!signatures) return signatures.failure();
  Status written = write();
  if (written) keepNewestSignature(file, *signatures);
  return written;
}

} // namespace

std::string_view nameOf(Verdict verdict) noexcept {
  return verdict == Verdict::Approve ? "approve" : "reject";
}

std::string Decision::id() const {
  constexpr std::size_t digits = 32;
  std::string all;
  // Each part follows its length, so no two decisions result in the same text.
  const auto add = [&](std::string_view part) {
    ((all += std::to_string(part.size())) += ':') += part;
  };
  for (const std::string_view part :
       {nameOf(verdict), std::string_view(digest), std::string_view(who), std::string_view(reason)})
    add(part);
  add(std::to_string(when));
  add(expires ? std::to_string(*expires) : "");
  return blake3Hex(all).substr(0, digits);
}

Result<Approvals> Approvals::read(const std::string &file, const ApprovalsKeys &keys) {
  const Result<std::string> text = readSigned(file, keys);
  if (!text) return text.failure();
  return parse(*text, file);
}

Result<Approvals> Approvals::parse(std::string_view text, const std::string &file) {
  return ApprovalsReader(text, file).read();
}

std::string Approvals::text() const {
  std::string out = "{\n  \"skillhost.approvals\": 1,\n  \"skills\": {";
  bool first = true;
  for (const auto &[skill, decision] : skills) {
    out += first ? "\n    " : ",\n    ";
    appendJsonString(out, skill);
    out += ": {\n";
    appendMember(out, "verdict", nameOf(decision.verdict));
    if (!decision.digest.empty()) appendMember(out, "digest", decision.digest);
    appendMember(out, "who", decision.who);
    appendMember(out, "when", timeText(decision.when));
    if (!decision.reason.empty()) appendMember(out, "reason", decision.reason);
    if (decision.expires) appendMember(out, "expires", timeText(*decision.expires));
    appendFiles(out, decision.files);
    out += "    }";
    first = false;
  }
  return out + (skills.empty() ? "}\n}\n" : "\n  }\n}\n");
}

Result<Approvals> changeApprovals(const std::string &file,
                                  const std::function<Status(Approvals &)> &change,
                                  const ApprovalsSigning &signing, MissingApprovals missing) {
  for (int tries = 0; tries < maxWriteAttempts; ++tries) {
    Result<std::optional<std::string>> before = textNow(file, signing.keys);
    if (!before) return std::move(before).failure();
    if (!*before && missing == MissingApprovals::Refuse)
      return {Fault::Unavailable,
              file + ": not written: the file is gone, and a new one would lack the decisions that "
                     "were in it; restore it, or restart to begin without decisions"};
    Result<Approvals> approvals =
        *before ? Approvals::parse(**before, file) : Result<Approvals>(Approvals());
    if (!approvals) return approvals;
    if (Status changed = change(*approvals); !changed) return std::move(changed).failure();
    const std::string next = approvals->text();
    // A file that nobody can read would withhold every skill at the next start.
    if (const Result<Approvals> again = Approvals::parse(next, file); !again)
      return {Fault::InvalidInput, "not written: " + again.failure().message};
    if (next.size() > maxApprovalsBytes)
      return {Fault::InvalidInput, file + ": not written: it would be larger than " +
                                       std::to_string(maxApprovalsBytes) + " bytes"};
    Status written = writeApprovals(file, next, before->value_or(""), signing);
    if (written) return approvals;
    if (written.failure().fault != Fault::Conflict) return std::move(written).failure();
  }
  return {Fault::Conflict, file + ": other programs keep writing this file; try again"};
}

Result<Approvals> signApprovals(const std::string &file, const SigningKey &key) {
  const Result<std::string> text = readSigned(file, {});
  if (!text) return text.failure();
  Result<Approvals> approvals = Approvals::parse(*text, file);
  if (!approvals) return approvals;
  const Result<std::string> signatures = addSignature(file, *text, key);
  if (!signatures) return signatures.failure();
  keepNewestSignature(file, *signatures);
  return approvals;
}

} // namespace skillhost
