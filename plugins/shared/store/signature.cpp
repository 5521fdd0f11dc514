// SPDX-License-Identifier: Apache-2.0
#include "signature.hpp"

#include "encoding/base64.hpp"
#include "limits.hpp"
#include "problem.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>

namespace skillhost::store {
namespace {

constexpr std::size_t signatureBytes = 64;
constexpr std::size_t idSize = 16;
constexpr std::size_t lineSize = idSize + 1 + encoding::base64Size(signatureBytes) + 1;

using SignatureContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using Signatures = std::map<std::string, std::string>; // id → bytes

const unsigned char *asBytes(std::string_view text) {
  return reinterpret_cast<const unsigned char *>(text.data());
}

// Nothing when a byte of it is other than it would be written.
std::optional<Signatures> readSignatures(std::string_view file) {
  Signatures found;
  if (file.size() % lineSize != 0 || file.size() > mostSignatureBytes) return std::nullopt;
  std::string last;
  for (; !file.empty(); file.remove_prefix(lineSize)) {
    const std::string id(file.substr(0, idSize));
    std::string bytes(encoding::base64Size(signatureBytes), '\0');
    const std::optional<std::size_t> size = encoding::decodeBase64(
        file.substr(idSize + 1, encoding::base64Size(signatureBytes)), bytes.data());
    if (file[idSize] != ' ' || file[lineSize - 1] != '\n' || size != signatureBytes || id <= last ||
        id.find_first_not_of("0123456789abcdef") != id.npos)
      return std::nullopt;
    bytes.resize(*size);
    found.emplace(id, std::move(bytes));
    last = id;
  }
  return found;
}

bool isBy(const SignatureKey &key, std::string_view signature, std::string_view statement) {
  const SignatureContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  const bool good =
      context &&
      EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.key.get()) == 1 &&
      EVP_DigestVerify(context.get(), asBytes(signature), signature.size(), asBytes(statement),
                       statement.size()) == 1;
  ERR_clear_error();
  return good;
}

} // namespace

std::string signatureStatement(const std::string &name, const std::string &content) {
  return "skillhost skill signature 1\n" + name + '\n' + content + '\n';
}

SignatureVerdict judgeSignatures(std::string_view file, std::string_view statement,
                                 const std::vector<SignatureKey> &trusted) {
  if (file.empty()) return {Signed::No, {}};
  const std::optional<Signatures> signatures = readSignatures(file);
  if (!signatures) return {Signed::Wrongly, {}};
  SignatureVerdict verdict{Signed::ByStranger, {}};
  for (const SignatureKey &key : trusted) {
    const auto found = signatures->find(key.id);
    if (found == signatures->end()) continue;
    if (!isBy(key, found->second, statement)) return {Signed::Wrongly, key.id};
    verdict = {Signed::ByTrusted, key.id};
  }
  return verdict;
}

std::string addSignature(std::string_view file, std::string_view statement,
                         const SignatureKey &key) {
  Signatures signatures = readSignatures(file).value_or(Signatures{});
  std::string bytes(signatureBytes, '\0');
  std::size_t size = bytes.size();
  const SignatureContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  if (!context ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.key.get()) != 1 ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char *>(bytes.data()), &size,
                     asBytes(statement), statement.size()) != 1 ||
      size != signatureBytes)
    throw StoreError(Problem::Failed, "the key of id " + key.id + " cannot sign");
  signatures[key.id] = std::move(bytes);
  std::string out;
  for (const auto &[id, signature] : signatures) {
    out += id + ' ';
    encoding::appendBase64(out, signature);
    out += '\n';
  }
  if (out.size() > mostSignatureBytes)
    throw StoreError(Problem::Refused, "there are too many signatures already");
  return out;
}

} // namespace skillhost::store
