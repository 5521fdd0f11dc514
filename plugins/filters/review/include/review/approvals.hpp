// SPDX-License-Identifier: Apache-2.0
// The file of approvals: the decisions of reviewers on skills, each with the content that it is
// about. Its form suits version control.
#pragma once

#include "document_digests.hpp"
#include "ground/result.hpp"
#include "review/approvals_signature.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

enum class Verdict : std::uint8_t { Approve, Reject };
std::string_view nameOf(Verdict verdict) noexcept; // "approve", "reject"

inline constexpr std::size_t maxApprovalsBytes = 256U << 20U; // bytes of the file

// Limits in bytes of a decision; an auth plugin may use as many bytes for a subject.
inline constexpr std::size_t maxReviewerBytes = 1'024, maxDecisionReasonBytes = 10'000;

struct Decision {
  Verdict verdict = Verdict::Reject;
  LockedSkill files;                   // the reviewed files; may be empty for a rejection
  std::string digest;                  // of these files; empty if there are none
  std::string who;                     // not empty
  std::int64_t when = 0;               // seconds since 1970
  std::string reason;                  // may be empty
  std::optional<std::int64_t> expires; // in the same unit; none: never

  bool expired(std::int64_t now) const noexcept { return expires && *expires <= now; }
  bool operator==(const Decision &) const = default;
  // Returns an id that differs for different decisions: 32 hexadecimal digits.
  std::string id() const;
};

struct Approvals {
  std::map<std::string, Decision> skills; // by "<source>/<path>"

  // Reads the file and checks its signature. Fails with NotFound if there is no such file. Other
  // failures name the file, the line, the entry and what to write, or are those of
  // readSigned(). Any thread.
  static Result<Approvals> read(const std::string &file, const ApprovalsKeys &keys = {});
  static Result<Approvals> parse(std::string_view text, const std::string &file);
  // Returns the same bytes for the same decisions: sorted, with one line for each file.
  std::string text() const;

  bool operator==(const Approvals &) const = default;
};

// The keys that have to sign the file, and the key that signs what is written (null: it is not
// signed).
struct ApprovalsSigning {
  ApprovalsKeys keys{};
  const SigningKey *key = nullptr;
};

enum class MissingApprovals : std::uint8_t {
  Begin,  // a missing file counts as empty, because nobody has decided anything yet
  Refuse, // it is gone, and a new one would lack the decisions that were in it: Unavailable
};

// Reads the file, lets `change` edit the decisions, and replaces the file. If somebody else has
// written meanwhile, it starts again, so that no decision is lost; `change` may be called several
// times. `missing` says what happens if there is no file, and a damaged one is left as it is. A
// result that could not be read again is not written: InvalidInput. A file without a valid
// signature is not changed, because the new signature would cover what somebody else has put there:
// Corrupt. Blocks while other processes write.
Result<Approvals> changeApprovals(const std::string &file,
                                  const std::function<Status(Approvals &)> &change,
                                  const ApprovalsSigning &signing = {},
                                  MissingApprovals missing = MissingApprovals::Begin);

// Signs the file as it is, if it can be read, and returns its decisions.
Result<Approvals> signApprovals(const std::string &file, const SigningKey &key);

} // namespace skillhost
