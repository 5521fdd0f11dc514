// SPDX-License-Identifier: Apache-2.0
#include "cosign.hpp"

#include "digest.hpp"

#include "files/whole_file.hpp"
#include "ground/base64.hpp"
#include "ground/json.hpp"
#include "paths/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace skillhost::oci {
namespace {

constexpr std::string_view pemBegin = "-----BEGIN ";
constexpr std::string_view statementMedia = "application/vnd.dev.cosign.simplesigning.v1+json";
constexpr std::string_view statementType = "cosign container image signature";
constexpr const char *signatureAnnotation = "dev.cosignproject.cosign/signature";
constexpr const char *certificateAnnotation = "dev.sigstore.cosign/certificate";
constexpr std::string_view bundleKind = "application/vnd.dev.sigstore.bundle";
constexpr std::size_t maxKeyBytes = 16'384, maxSignatureBytes = 1'024, shownStatementBytes = 200,
                      maxReasons = 3;
constexpr int maxStatementDepth = 8;

const Json *objectIn(const Json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

std::string textIn(const Json *object, const char *key) {
  if (object == nullptr) return {};
  const auto found = object->find(key);
  return found != object->end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string quotedText(const std::string &text) {
  return "\"" + paths::printable(text.substr(0, shownStatementBytes)) + "\"";
}

// Docker's own registry has two names, and cosign writes the longer one.
std::string_view withoutAlias(std::string_view repository) {
  constexpr std::string_view alias = "index.";
  return repository.starts_with("index.docker.io/") ? repository.substr(alias.size()) : repository;
}

// Returns "sha256-<hex>.sig"; nothing for a digest that is too long for a tag.
std::optional<std::string> signatureTag(const std::string &digest) {
  if (!digest.starts_with("sha256:")) return std::nullopt;
  return "sha256-" + hexadecimalOf(digest) + ".sig";
}

// Checks the signatures of one artefact.
class Judging {
public:
  Judging(Registry &registry, remote::Operation &operation, const Reference &where,
          const std::string &digest, const std::vector<TrustedKey> &trusted)
      : registry_(registry), operation_(operation), where_(where), digest_(digest),
        trusted_(trusted) {}

  std::string run() {
    const Manifest signatures = manifestOfSignatures();
    if (signatures.layers.size() > maxSignatures)
      refuse("it has " + std::to_string(signatures.layers.size()) + " signatures, and may have " +
             std::to_string(maxSignatures));
    for (const Descriptor &one : signatures.layers) {
      try {
        return signerOf(one);
      } catch (const ContentError &error) { // another signature may be valid
        reasons_.emplace_back(error.what());
      }
    }
    if (reasons_.empty()) refuse("the manifest of its signatures has none");
    std::string all;
    for (std::size_t i = 0; i < std::min(reasons_.size(), maxReasons); ++i)
      all += (i == 0 ? "" : "; ") + reasons_[i];
    if (reasons_.size() > maxReasons)
      all += "; and so on, of " + std::to_string(reasons_.size()) + " signatures";
    refuse(all);
  }

private:
  [[noreturn]] static void refuse(const std::string &why) {
    throw ContentError("it is not signed by a trusted key: " + why);
  }

  Manifest manifestOfSignatures() {
    const std::optional<std::string> tag = signatureTag(digest_);
    if (!tag) refuse("cosign's signatures are of SHA-256, and its digest is " + digest_);
    try {
      const FetchedManifest fetched = registry_.manifest(operation_, where_, *tag);
      Manifest manifest = readManifest(fetched.bytes, fetched.mediaType);
      if (manifest.isIndex) refuse("its signatures, " + *tag + ", are an index and no manifest");
      return manifest;
    } catch (const MissingError &) {
      const std::string none = "the registry has no signature of it (" + *tag + ")";
      if (hasBundle(none))
        refuse(
            "its signature is a bundle of sigstore, as cosign 3 makes it, which is not read: sign "
            "it by cosign sign --key KEY --new-bundle-format=false");
      refuse(none);
    }
  }

  // A bundle is a referrer of the artefact: the registry lists it, or the client that pushed it
  // keeps the list under a tag. If the registry cannot answer, this throws, because it is then
  // unknown whether there is a signature.
  bool hasBundle(const std::string &none) {
    const auto isBundle = [](const Descriptor &one) {
      return one.artifactType.starts_with(bundleKind);
    };
    try {
      const std::vector<Descriptor> all = registry_.referrers(operation_, where_, digest_);
      return std::any_of(all.begin(), all.end(), isBundle);
    } catch (const MissingError &) {
      return false;
    } catch (const ContentError &error) {
      refuse(none + ", and its list of referrers cannot be read: " + error.what());
    }
  }

  std::string signerOf(const Descriptor &one) {
    if (one.mediaType != statementMedia)
      throw ContentError("what is signed is of a kind that is not known, " +
                         quotedText(one.mediaType));
    const auto written = one.annotations.find(signatureAnnotation);
    if (written == one.annotations.end()) throw ContentError("a statement has no signature");
    if (written->second.size() > maxSignatureBytes)
      throw ContentError("a signature has more than " + std::to_string(maxSignatureBytes) +
                         " bytes");
    const std::optional<std::string> signature = decodeBase64(written->second);
    if (!signature) throw ContentError("a signature is no base64");
    const std::string text = registry_.blob(operation_, where_, one, maxStatementBytes);
    // A statement is only parsed after its signature is verified by a trusted key.
    const auto signer = std::find_if(trusted_.begin(), trusted_.end(), [&](const TrustedKey &each) {
      return each.key.verifies(text, *signature);
    });
    if (signer == trusted_.end())
      throw ContentError(
          one.annotations.contains(certificateAnnotation)
              ? "a signature is keyless, by a certificate, which is not read: sign it "
                "by cosign sign --key KEY"
              : "a signature is by none of the trusted keys");
    const SignedStatement statement = readStatement(text);
    if (statement.digest != digest_)
      throw ContentError("what " + signer->name + " has signed is another artefact, " +
                         quotedText(statement.digest));
    if (!isAbout(statement, where_))
      throw ContentError("what " + signer->name + " has signed is of another repository, " +
                         quotedText(statement.repository));
    return signer->name;
  }

  Registry &registry_;
  remote::Operation &operation_;
  const Reference &where_;
  const std::string &digest_;
  const std::vector<TrustedKey> &trusted_;
  std::vector<std::string> reasons_;
};

} // namespace

TrustedKey readTrustedKey(const std::string &written, const std::string &place) {
  const bool isKey = written.starts_with(pemBegin);
  const std::string text = isKey ? written : files::readWhole(written, maxKeyBytes);
  const std::string name = isKey ? place : written;
  if (text.empty())
    throw std::runtime_error(name +
                             ": this file of a trusted key cannot be read, or has more than " +
                             std::to_string(maxKeyBytes) + " bytes");
  std::optional<PublicKey> key = PublicKey::fromPem(text);
  if (!key)
    throw std::runtime_error(name + ": is no public key in PEM of the kinds ECDSA P-256 (as cosign "
                                    "makes) and Ed25519");
  return {name, *std::move(key)};
}

SignedStatement readStatement(std::string_view text) {
  if (text.size() > maxStatementBytes)
    throw ContentError("a statement has more than " + std::to_string(maxStatementBytes) + " bytes");
  const std::optional<Json> document = readJsonObject(text, maxStatementDepth);
  const Json *const critical = document ? objectIn(*document, "critical") : nullptr;
  if (critical == nullptr) throw ContentError("a statement is no JSON object with \"critical\"");
  if (const std::string type = textIn(critical, "type"); type != statementType)
    throw ContentError("a statement is of a kind that is not known, " + quotedText(type));
  SignedStatement statement{textIn(objectIn(*critical, "image"), "docker-manifest-digest"),
                            textIn(objectIn(*critical, "identity"), "docker-reference")};
  if (!isDigest(statement.digest))
    throw ContentError("a statement names no digest, but " + quotedText(statement.digest));
  return statement;
}

bool isAbout(const SignedStatement &statement, const Reference &where) {
  if (statement.repository.empty()) return true;
  const std::string_view named = withoutAlias(statement.repository);
  const std::string name = where.name();
  if (!named.starts_with(name)) return false;
  const std::string_view rest = named.substr(name.size());
  return rest.empty() || rest.front() == ':' || rest.front() == '@';
}

std::string requireSigner(Registry &registry, remote::Operation &operation, const Reference &where,
                          const std::string &digest, const std::vector<TrustedKey> &trusted) {
  return Judging(registry, operation, where, digest, trusted).run();
}

} // namespace skillhost::oci
