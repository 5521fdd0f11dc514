// SPDX-License-Identifier: Apache-2.0
// Who vouches for a file of approvals: Ed25519 signatures of its bytes, in FILE.sig, a line of
// base64 each. One by a trusted key is enough.
#pragma once

#include "ground/public_key.hpp"
#include "ground/result.hpp"
#include "ground/signing_key.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

std::string signatureFileOf(const std::string &approvals);

// The keys whose signatures count. Immutable; any thread.
class ApprovalsKeys {
public:
  ApprovalsKeys() = default; // none: nobody has to vouch for anything
  // Files in PEM. The failure names the file and what is wrong with it.
  static Result<ApprovalsKeys> read(const std::vector<std::string> &files);

  bool empty() const noexcept { return keys_.empty(); }
  bool has(const PublicKey &key) const noexcept;
  // Whether a line of `signatures` is a signature of the text by one of the keys.
  bool vouchFor(std::string_view text, std::string_view signatures) const;

private:
  std::vector<PublicKey> keys_;
};

// The secret key in this file, which only its owner may read. The failure names the file and what
// is wrong with it.
Result<SigningKey> readSigningKey(const std::string &file);

// The text of a file of approvals, once a trusted key vouches for it; without keys whatever is
// there. Of somebody who writes both files meanwhile it finds what was there before or what is
// there after. NotFound when there is no such file; Corrupt when nobody vouches for what is there.
// Other failures name the file as well.
Result<std::string> readVouchedFor(const std::string &file, const ApprovalsKeys &keys);

// Puts a signature of the text in front of those that are there, of which a few are kept: the text
// may not be in its place yet. What the file holds now.
Result<std::string> addSignature(const std::string &file, std::string_view text,
                                 const SigningKey &key);
// Leaves the newest signature alone, if FILE.sig still is what addSignature() has returned.
void keepNewestSignature(const std::string &file, const std::string &signatures);

} // namespace skillhost
