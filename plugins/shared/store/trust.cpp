// SPDX-License-Identifier: Apache-2.0
#include "trust.hpp"

#include "problem.hpp"

namespace skillhost::store {
namespace {

[[noreturn]] void refuse(const std::string &why) { throw StoreError(Problem::Corrupt, why); }

} // namespace

SignatureVerdict judge(const Trust &trust, std::string_view signatures,
                       const SignedVersion &version) {
  if (trust.signatures == SignaturePolicy::Ignore) return {};
  SignatureVerdict verdict = judgeSignatures(signatures, version, trust.keys);
  if (const auto other = versionSigned(signatures); other && *other != version.version)
    refuse("it was signed as version " + std::to_string(*other) + ", and is version " +
           std::to_string(version.version) + " here");
  if (verdict.how == Signed::Wrongly)
    refuse("its signature is wrong" +
           (verdict.key.empty() ? "" : ", that of the trusted key " + verdict.key));
  if (trust.signatures != SignaturePolicy::Require) return verdict;
  if (verdict.how == Signed::No) refuse("it has no signature, and one is required");
  if (verdict.how == Signed::ByStranger) refuse("it is signed, but by none of the trusted keys");
  if (verdict.how == Signed::WithoutVersion)
    refuse("its signature, that of the trusted key " + verdict.key +
           ", does not say of which version it is, so that an older one could come back with it: "
           "sign it again, skillhost skill sign NAME --key FILE");
  return verdict;
}

} // namespace skillhost::store
