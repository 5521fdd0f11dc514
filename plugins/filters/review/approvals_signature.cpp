// SPDX-License-Identifier: Apache-2.0
#include "review/approvals_signature.hpp"

#include "ground/base64.hpp"
#include "ground/descriptor.hpp"
#include "ground/public_key_file.hpp"
#include "ground/read_file.hpp"
#include "ground/replace_file.hpp"
#include "ground/trusted_path.hpp"
#include "review/approvals.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t largestKeyFile = 16'384;   // bytes
constexpr std::size_t largestSignatures = 4'096; // bytes of FILE.sig
constexpr std::size_t maxSignatures = 8;         // lines of it that are kept
constexpr int maxReadAttempts = 10;              // of both files, while somebody replaces them

// A missing file counts as empty: it has no signature.
Result<std::string> signaturesNow(const std::string &file) {
  const std::string path = signatureFileOf(file);
  Result<std::string> text = readFile(path, largestSignatures, FileKind::Regular);
  if (text) return text;
  if (text.failure().fault == Fault::NotFound) return std::string();
  return {Fault::OperationFailed, path + ": " + text.failure().message};
}

template <class Body> void eachLine(std::string_view text, Body &&body) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!line.empty()) body(line);
  }
}

std::string notSigned(const std::string &file, bool isSigned) {
  const std::string path = signatureFileOf(file);
  return file + ": " +
         (isSigned ? "none of the signatures in " + path +
                         " is by a key of trust.approvals_keys "
                         "and of this content"
                   : path + " is missing, and trust.approvals_keys asks for a signature") +
         ": nothing in it counts; look at what it says, then sign it with skillhost review sign";
}

} // namespace

std::string signatureFileOf(const std::string &approvals) { return approvals + ".sig"; }

Result<ApprovalsKeys> ApprovalsKeys::read(const std::vector<std::string> &files) {
  ApprovalsKeys out;
  for (const std::string &file : files) {
    if (Status trusted = checkTrusted(file); !trusted) return std::move(trusted).failure();
    const Result<std::string> text = readFile(file, largestKeyFile, FileKind::Regular);
    if (!text) return {text.failure().fault, file + ": " + text.failure().message};
    std::optional<PublicKey> key = PublicKey::fromPem(*text);
    if (!key || !key->isEd25519())
      return {Fault::InvalidInput, file + ": is no public Ed25519 key in PEM: skillhost key new "
                                          "makes a pair, and the public one is in FILE.pub"};
    out.keys_.push_back(*std::move(key));
  }
  return out;
}

bool ApprovalsKeys::has(const PublicKey &key) const noexcept {
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](const PublicKey &one) { return one.id() == key.id(); });
}

bool ApprovalsKeys::verify(std::string_view text, std::string_view signatures) const {
  bool isGood = false;
  eachLine(signatures, [&](std::string_view line) {
    const std::optional<std::string> bytes = decodeBase64(line);
    isGood = isGood || (bytes && std::any_of(keys_.begin(), keys_.end(), [&](const auto &key) {
                          return key.verifies(text, *bytes);
                        }));
  });
  return isGood;
}

Result<SigningKey> readSigningKey(const std::string &file) {
  if (Status trusted = checkTrusted(file); !trusted) return std::move(trusted).failure();
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts{};
  if (!open || ::fstat(open.number(), &facts) != 0)
    return {errno == ENOENT ? Fault::NotFound : Fault::OperationFailed,
            file + ": this file of a secret key cannot be opened"};
  if (S_ISREG(facts.st_mode) && holdsPublicKey(open.number()))
    return {Fault::InvalidInput, file + ": " + isPublicKeyText};
  if (!S_ISREG(facts.st_mode) || (facts.st_mode & 077U) != 0)
    return {Fault::InvalidInput,
            file + ": must be a regular file that only its owner may read: chmod 600"};
  const Result<std::string> text = readDescriptor(open.number(), largestKeyFile);
  if (!text) return {text.failure().fault, file + ": " + text.failure().message};
  std::optional<SigningKey> key = SigningKey::fromPem(*text);
  if (!key)
    return {Fault::InvalidInput, file + ": is no secret Ed25519 key in PEM: skillhost key new "
                                        "makes a pair"};
  return *std::move(key);
}

Result<std::string> readSigned(const std::string &file, const ApprovalsKeys &keys) {
  if (Status trusted = checkTrusted(file); !trusted) return std::move(trusted).failure();
  std::pair<std::string, std::string> before;
  for (int reading = 0;; ++reading) {
    Result<std::string> text = readFile(file, maxApprovalsBytes, FileKind::Regular);
    if (!text) return {text.failure().fault, file + ": " + text.failure().message};
    if (keys.empty()) return text;
    Result<std::string> signatures = signaturesNow(file);
    if (!signatures) return signatures;
    if (keys.verify(*text, *signatures)) return text;
    // One of the two files may have been replaced between the two reads.
    std::pair<std::string, std::string> now(*std::move(text), *std::move(signatures));
    if ((reading != 0 && now == before) || reading == maxReadAttempts)
      return {Fault::Corrupt, notSigned(file, !now.second.empty())};
    before = std::move(now);
  }
}

Result<std::string> addSignature(const std::string &file, std::string_view text,
                                 const SigningKey &key) {
  const std::string bytes = key.sign(text);
  if (bytes.empty()) return {Fault::Internal, file + ": the key cannot sign"};
  const std::string path = signatureFileOf(file);
  for (;;) {
    Result<std::string> before = signaturesNow(file);
    if (!before) return before;
    std::string next = encodeBase64(bytes) + '\n';
    std::size_t lines = 1;
    eachLine(*before, [&](std::string_view line) {
      if (lines++ < maxSignatures) (next += line) += '\n';
    });
    if (next.size() > largestSignatures) next = encodeBase64(bytes) + '\n';
    Status written =
        replaceFile(path, next, FileReaders::Everybody, FileLinks::Follow, *before, file);
    if (written) return next;
    if (written.failure().fault != Fault::Conflict) return std::move(written).failure();
  }
}

void keepNewestSignature(const std::string &file, const std::string &signatures) {
  const std::string newest = signatures.substr(0, signatures.find('\n') + 1);
  if (newest == signatures) return;
  // If this fails, the signatures that remain include the one of the current text.
  static_cast<void>(replaceFile(signatureFileOf(file), newest, FileReaders::Everybody,
                                FileLinks::Follow, signatures));
}

} // namespace skillhost
