// SPDX-License-Identifier: Apache-2.0
#include "trust.hpp"

#include "problem.hpp"

namespace skillhost::store {
namespace {

[[noreturn]] void refuse(const std::string &why) { throw StoreError(Problem::Corrupt, why); }

} // namespace

SignatureVerdict judge(const Trust &trust, std::string_view signatures,
                       std::string_view statement) {
  if (trust.signatures == SignaturePolicy::Ignore) return {};
  SignatureVerdict verdict = judgeSignatures(signatures, statement, trust.keys);
  if (verdict.how == Signed::Wrongly)
    refuse("its signature is wrong" +
           (verdict.key.empty() ? "" : ", that of the trusted key " + verdict.key));
  if (trust.signatures != SignaturePolicy::Require) return verdict;
  if (verdict.how == Signed::No) refuse("it has no signature, and one is required");
  if (verdict.how == Signed::ByStranger) refuse("it is signed, but by none of the trusted keys");
  return verdict;
}

} // namespace skillhost::store
