// SPDX-License-Identifier: Apache-2.0
// The file of approvals: what reviewers have decided of skills, each decision with the content it
// is about. Made for version control.
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

// Another one whenever a byte, a path or an executable bit of these files is: "blake3:" and 64
// hexadecimal digits.
std::string contentDigest(const LockedSkill &files);

inline constexpr std::size_t largestApprovals = 256U << 20U; // bytes of the file

// Of a decision, in bytes: as much as an auth plugin may say of a subject.
inline constexpr std::size_t longestReviewer = 1'024, longestDecisionReason = 10'000;

struct Decision {
  Verdict verdict = Verdict::Reject;
  LockedSkill files;                   // what was looked at; of a rejection it may be empty
  std::string digest;                  // of these files; empty when there are none
  std::string who;                     // not empty
  std::int64_t when = 0;               // seconds since 1970
  std::string reason;                  // may be empty
  std::optional<std::int64_t> expires; // the same; none: never

  bool expired(std::int64_t now) const noexcept { return expires && *expires <= now; }
  bool operator==(const Decision &) const = default;
  // Another one for another decision: 32 hexadecimal digits.
  std::string id() const;
};

struct Approvals {
  std::map<std::string, Decision> skills; // by "<source>/<path>"

  // NotFound when there is no such file; else the failure names file, line and entry, and what to
  // write; or it is that of readVouchedFor(). Any thread.
  static Result<Approvals> read(const std::string &file, const ApprovalsKeys &keys = {});
  static Result<Approvals> parse(std::string_view text, const std::string &file);
  // The same decisions come to the same bytes: sorted, a file a line.
  std::string text() const;

  bool operator==(const Approvals &) const = default;
};

// Who has to vouch for the file, and by which key what is written is signed; null: by none.
struct ApprovalsSigning {
  ApprovalsKeys keys{};
  const SigningKey *key = nullptr;
};

// Reads the file, has it changed, and puts the new one in its place; begins anew when somebody else
// was first, so that no decision is lost. A file that is not there is an empty one, one that is
// damaged is left as it is, and one that could not be read again is not written: InvalidInput.
// `change` may be called several times. Waits for other writers. What nobody vouches for is not
// written on, so that no signature is given to what somebody else has put there: Corrupt.
Result<Approvals> changeApprovals(const std::string &file,
                                  const std::function<Status(Approvals &)> &change,
                                  const ApprovalsSigning &signing = {});

// Signs the file as it is now, once it can be read. What is decided in it.
Result<Approvals> signApprovals(const std::string &file, const SigningKey &key);

} // namespace skillhost
