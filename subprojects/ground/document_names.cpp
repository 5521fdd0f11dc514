// SPDX-License-Identifier: Apache-2.0
#include "ground/document_names.hpp"

#include "ground/text.hpp"

#include <algorithm>
#include <array>

namespace skillhost {
namespace {

using namespace std::string_view_literals;

constexpr std::array litterNames{".DS_Store"sv,          ".git"sv,        ".hg"sv,
                                 ".ipynb_checkpoints"sv, ".mypy_cache"sv, ".pytest_cache"sv,
                                 ".ruff_cache"sv,        ".svn"sv,        ".venv"sv,
                                 "Thumbs.db"sv,          "__MACOSX"sv,    "__pycache__"sv,
                                 "desktop.ini"sv,        "ehthumbs.db"sv, "node_modules"sv};
constexpr std::array litterEndings{"~"sv, ".pyc"sv, ".pyo"sv};

// In lower case, as names are compared.
constexpr std::array secretNames{".aws"sv,
                                 ".azure"sv,
                                 ".boto"sv,
                                 ".docker"sv,
                                 ".dockercfg"sv,
                                 ".dockerconfigjson"sv,
                                 ".git-credentials"sv,
                                 ".gnupg"sv,
                                 ".htpasswd"sv,
                                 ".kube"sv,
                                 ".my.cnf"sv,
                                 ".netrc"sv,
                                 ".npmrc"sv,
                                 ".pgpass"sv,
                                 ".pypirc"sv,
                                 ".s3cfg"sv,
                                 ".ssh"sv,
                                 ".vault-token"sv,
                                 "_netrc"sv,
                                 "application_default_credentials.json"sv,
                                 "credentials.json"sv,
                                 "id_dsa"sv,
                                 "id_ecdsa"sv,
                                 "id_ecdsa_sk"sv,
                                 "id_ed25519"sv,
                                 "id_ed25519_sk"sv,
                                 "id_rsa"sv,
                                 "kubeconfig"sv,
                                 "rclone.conf"sv,
                                 "rootkey.csv"sv,
                                 "service-account.json"sv,
                                 "service_account.json"sv,
                                 "serviceaccountkey.json"sv};
constexpr std::array secretEndings{"accesskeys.csv"sv, ".jks"sv, ".key"sv, ".keystore"sv, ".kdbx"sv,
                                   ".p12"sv,           ".pfx"sv, ".ppk"sv, ".tfstate"sv};
// The ending of these files says that they are examples of settings without secrets.
constexpr std::array exampleEndings{".example"sv, ".sample"sv, ".template"sv, ".dist"sv};

// Each name of a source is compared with all of these words. Most differ in the one character
// compared here, which is several times cheaper than calling memcmp for each.
bool endsWithOne(std::string_view name, const auto &endings) noexcept {
  if (name.empty()) return false;
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
    return name.back() == ending.back() && name.ends_with(ending);
  });
}

bool isOneOf(std::string_view name, const auto &names) noexcept {
  if (name.empty()) return false;
  return std::any_of(names.begin(), names.end(), [&](std::string_view one) {
    return name.size() == one.size() && name.front() == one.front() && name == one;
  });
}

bool isLitter(std::string_view name) noexcept {
  if (isOneOf(name, litterNames) || endsWithOne(name, litterEndings)) return true;
  if (name.front() == '#') return name.size() > 2 && name.ends_with('#'); // Emacs
  if (name.front() != '.') return false;
  // Vim, Emacs, macOS on foreign file systems, and files that NFS keeps while they are open.
  return name.ends_with(".swp") || name.ends_with(".swo") || name.ends_with(".swx") ||
         name.starts_with(".#") || name.starts_with("._") || name.starts_with(".nfs0");
}

// Returns true if one of the words is a part of the name between the characters "-_." or at an end.
bool hasWord(std::string_view name, const auto &words) noexcept {
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find_first_of("-_.", begin), name.size());
    if (isOneOf(name.substr(begin, end - begin), words)) return true;
    begin = end + 1;
  }
  return false;
}

// A PEM file counts as a private key unless its name says that it is a certificate or a public key.
bool isPrivatePem(std::string_view name) noexcept {
  if (!name.ends_with(".pem")) return false;
  if (name.find("priv") != name.npos) return true;
  constexpr std::array harmless{"ca"sv,      "cacert"sv,      "cert"sv,      "certs"sv,
                                "cert1"sv,   "certificate"sv, "chain"sv,     "chain1"sv,
                                "dhparam"sv, "dhparams"sv,    "fullchain"sv, "fullchain1"sv,
                                "pub"sv,     "public"sv,      "pubkey"sv,    "root"sv};
  if (!hasWord(name, harmless)) return true;
  return name.find("key") != name.npos && name.find("pub") == name.npos;
}

// Removes the ending that an editor or a tool gives to an older copy.
std::string_view withoutBackupEnding(std::string_view name) noexcept {
  constexpr std::array endings{".bak"sv, ".backup"sv, ".old"sv, ".orig"sv, ".save"sv};
  for (const std::string_view ending : endings)
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return name;
}

bool isSecret(std::string_view fileName) noexcept {
  // For a name longer than file systems allow, the end decides.
  constexpr std::size_t maxNameBytes = 255;
  std::array<char, maxNameBytes>
      buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): written next
  const std::string_view ending =
      fileName.substr(fileName.size() - std::min(fileName.size(), maxNameBytes));
  std::transform(ending.begin(), ending.end(), buffer.begin(),
                 [](char c) { return asciiLowered(c); });
  const std::string_view name = withoutBackupEnding({buffer.data(), ending.size()});
  if (endsWithOne(name, exampleEndings)) return false;
  if (name.ends_with(".env") ||
      (name.starts_with(".env") && (name == ".envrc" || name.starts_with(".env.") ||
                                    name.starts_with(".env-") || name.starts_with(".env_")))) {
    // `.env.example.local` and `example.env` contain no secret either.
    constexpr std::array examples{"example"sv, "sample"sv, "template"sv, "dist"sv};
    return !hasWord(name, examples);
  }
  if (name.starts_with("client_secret") && name.ends_with(".json")) return true;
  return isOneOf(name, secretNames) || endsWithOne(name, secretEndings) || isPrivatePem(name);
}

} // namespace

NameKind kindOfName(std::string_view name) noexcept {
  if (name.empty()) return NameKind::Document;
  if (isLitter(name)) return NameKind::Litter;
  return isSecret(name) ? NameKind::Secret : NameKind::Document;
}

NameKind kindOfPath(std::string_view path) noexcept {
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const NameKind kind = kindOfName(path.substr(begin, end - begin));
    if (kind != NameKind::Document) return kind;
    begin = end + 1;
  }
  return NameKind::Document;
}

bool isLfsPointer(std::string_view bytes) noexcept {
  return bytes.size() >= minLfsPointerBytes && bytes.size() <= maxLfsPointerBytes &&
         (bytes.starts_with("version https://git-lfs.github.com/spec/") ||
          bytes.starts_with("version https://hawser.github.com/spec/")) &&
         bytes.find("\noid sha256:") != bytes.npos && bytes.find("\nsize ") != bytes.npos;
}

bool looksLikeLinkText(std::string_view bytes) noexcept {
  constexpr std::size_t maxLinkBytes = 1'024;
  return bytes.size() <= maxLinkBytes && bytes.starts_with("../") && !bytes.ends_with('/') &&
         std::none_of(bytes.begin(), bytes.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == '\\' || c == ':';
         });
}

} // namespace skillhost
