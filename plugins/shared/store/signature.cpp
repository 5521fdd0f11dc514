// SPDX-License-Identifier: Apache-2.0
#include "signature.hpp"

#include "ground/base64.hpp"
#include "ground/hexadecimal.hpp"
#include "limits.hpp"
#include "problem.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace skillhost::store {
namespace {

constexpr std::size_t signatureBytes = 64;
constexpr std::size_t idSize = 16;
constexpr std::size_t lineSize = idSize + 1 + base64Size(signatureBytes) + 1;

using SignatureContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using Signatures = std::map<std::string, std::string>; // signatures by id
struct SignatureFile {
  std::uint64_t version = 0; // 0: the earlier form
  Signatures signatures;
};

constexpr std::string_view opening = "skillhost signatures of version ";

const unsigned char *asBytes(std::string_view text) {
  return reinterpret_cast<const unsigned char *>(text.data());
}

std::string openingOf(std::uint64_t version) {
  return std::string(opening) + std::to_string(version) + '\n';
}

// Returns nothing if a byte differs from the form in which it is written.
std::optional<Signatures> readLines(std::string_view file) {
  Signatures found;
  if (file.size() % lineSize != 0) return std::nullopt;
  std::string last;
  for (; !file.empty(); file.remove_prefix(lineSize)) {
    const std::string id(file.substr(0, idSize));
    std::string bytes(base64Size(signatureBytes), '\0');
    const std::optional<std::size_t> size =
        decodeBase64(file.substr(idSize + 1, base64Size(signatureBytes)), bytes.data());
    if (file[idSize] != ' ' || file[lineSize - 1] != '\n' || size != signatureBytes || id <= last ||
        !isHexadecimal(id, idSize))
      return std::nullopt;
    bytes.resize(*size);
    found.emplace(id, std::move(bytes));
    last = id;
  }
  return found;
}

std::optional<SignatureFile> readFile(std::string_view file) {
  SignatureFile read;
  if (file.size() > maxSignatureBytes) return std::nullopt;
  if (file.starts_with(opening)) {
    const char *const digits = file.data() + opening.size();
    const auto [end, error] = std::from_chars(digits, file.data() + file.size(), read.version);
    if (error != std::errc{} || read.version == 0 || read.version > maxSignedVersion ||
        !file.starts_with(openingOf(read.version)))
      return std::nullopt;
    file.remove_prefix(openingOf(read.version).size());
  }
  std::optional<Signatures> signatures = readLines(file);
  if (!signatures || signatures->empty()) return std::nullopt;
  read.signatures = *std::move(signatures);
  return read;
}

std::string writeFile(const SignatureFile &file) {
  std::string out = openingOf(file.version);
  for (const auto &[id, signature] : file.signatures) {
    out += id + ' ';
    appendBase64(out, signature);
    out += '\n';
  }
  if (out.size() > maxSignatureBytes)
    throw StoreError(Problem::Refused, "there are too many signatures already");
  return out;
}

// The first lines of both forms always differ, so one can never be taken for the other.
std::string statementOf(const SignedVersion &of) {
  return "skillhost skill signature 2\n" + of.name + '\n' + std::to_string(of.version) + '\n' +
         of.content + '\n';
}
std::string statementWithoutVersion(const SignedVersion &of) {
  return "skillhost skill signature 1\n" + of.name + '\n' + of.content + '\n';
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

std::optional<std::uint64_t> versionSigned(std::string_view file) {
  const std::optional<SignatureFile> read = readFile(file);
  if (!read || read->version == 0) return std::nullopt;
  return read->version;
}

SignatureVerdict judgeSignatures(std::string_view file, const SignedVersion &version,
                                 const std::vector<SignatureKey> &trusted) {
  if (file.empty()) return {Signed::No, {}};
  const std::optional<SignatureFile> read = readFile(file);
  if (!read || (read->version != 0 && read->version != version.version))
    return {Signed::Wrongly, {}};
  const std::string statement =
      read->version == 0 ? statementWithoutVersion(version) : statementOf(version);
  SignatureVerdict verdict{Signed::ByStranger, {}};
  for (const SignatureKey &key : trusted) {
    const auto found = read->signatures.find(key.id);
    if (found == read->signatures.end()) continue;
    if (!isBy(key, found->second, statement)) return {Signed::Wrongly, key.id};
    verdict = {read->version == 0 ? Signed::WithoutVersion : Signed::ByTrusted, key.id};
  }
  return verdict;
}

std::string addSignature(std::string_view file, const SignedVersion &version,
                         const SignatureKey &key) {
  if (version.version > maxSignedVersion)
    throw StoreError(Problem::Refused, version.name + ": version " +
                                           std::to_string(version.version) +
                                           " cannot be signed: the number is too large");
  SignatureFile signatures = readFile(file).value_or(SignatureFile{});
  if (signatures.version != version.version) signatures = {version.version, {}};
  const std::string statement = statementOf(version);
  std::string bytes(signatureBytes, '\0');
  std::size_t size = bytes.size();
  const SignatureContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  if (!context ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.key.get()) != 1 ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char *>(bytes.data()), &size,
                     asBytes(statement), statement.size()) != 1 ||
      size != signatureBytes)
    throw StoreError(Problem::Failed, "the key of id " + key.id + " cannot sign");
  signatures.signatures[key.id] = std::move(bytes);
  return writeFile(signatures);
}

std::string joinSignatures(std::string_view file, std::string_view more) {
  const std::optional<SignatureFile> there = readFile(file);
  std::optional<SignatureFile> joined = readFile(more);
  if (!there || !joined || joined->version == 0 || there->version != joined->version)
    return std::string(more);
  joined->signatures.insert(there->signatures.begin(), there->signatures.end());
  return writeFile(*joined);
}

} // namespace skillhost::store
