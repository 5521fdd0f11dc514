// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include "oci/digest.hpp"
#include "paths/names.hpp"

#include <skillhost/config.hpp>

#include <algorithm>

namespace skillhost::oci_source {
namespace {

[[noreturn]] void refuse(const std::string &what) { throw skh::Error(SKH_INVALID, what); }

std::uint64_t readNumber(const skh::Config &config, const std::string &key, std::uint64_t fallback,
                         std::int64_t maximum) {
  const std::int64_t value = config.integer(key, static_cast<std::int64_t>(fallback));
  if (value >= 1 && value <= maximum) return static_cast<std::uint64_t>(value);
  refuse(key + ": must be between 1 and " + std::to_string(maximum));
}

Reference readReference(const std::string &key, const std::string &written) {
  std::optional<Reference> read = oci::readReference(written);
  if (!read)
    refuse(key + ": \"" + paths::printable(written) +
           "\" must be a reference such as registry.example/team/skill:1.2 or "
           "registry.example/team/skill@sha256:…, in lower case but for the tag");
  return *std::move(read);
}

std::vector<Reference> readReferences(const skh::Config &config) {
  std::vector<Reference> all;
  for (const std::string &written : config.texts("references")) {
    Reference one = readReference("references[" + std::to_string(all.size()) + "]", written);
    if (std::find(all.begin(), all.end(), one) != all.end())
      refuse("references: " + one.text() + " is there twice");
    all.push_back(std::move(one));
  }
  const std::string pin = config.text("pin", "");
  if (pin.empty()) return all;
  if (!oci::isDigest(pin)) refuse("pin: must be sha256: and 64 digits 0-9 a-f, or sha512: and 128");
  if (all.size() != 1 || config.has("repository") || config.has("catalogue"))
    refuse("pin: holds one artefact; with several write @ and the digest behind each reference");
  if (!all.front().digest.empty() && all.front().digest != pin)
    refuse("pin: is not the digest that references has");
  all.front().digest = pin;
  return all;
}

std::optional<Reference> readRepository(const skh::Config &config) {
  const std::string written = config.text("repository", "");
  if (written.empty()) return {};
  std::optional<Reference> read = oci::readRepository(written);
  if (!read)
    refuse("repository: \"" + paths::printable(written) +
           "\" must be one such as registry.example/team/skills, without a tag");
  return read;
}

std::set<std::string> readRegistries(const skh::Config &config, const std::string &key) {
  std::set<std::string> all;
  for (const std::string &written : config.texts(key)) {
    const std::optional<Reference> read = oci::readRepository(written + "/x");
    if (!read || read->repository != "x")
      refuse(key + ": \"" + paths::printable(written) +
             "\" must be a registry such as registry.example:5000");
    all.insert(read->registry);
  }
  return all;
}

std::chrono::milliseconds readInterval(const skh::Config &config) {
  const double minutes = config.number("refresh_minutes", 60);
  if (minutes < 0 || minutes > 10'080) refuse("refresh_minutes: must be between 0 and 10080");
  return std::chrono::milliseconds(static_cast<std::int64_t>(minutes * 60'000));
}

oci::Credentials readCredentials(const skh::Config &config) {
  oci::Credentials read{config.text("user", ""), config.text("token", "")};
  if (!oci::isPrintable(read.secret)) refuse("token: holds control characters");
  if (!oci::isPrintable(read.user) || read.user.find(':') != std::string::npos)
    refuse("user: may hold no colon and no control characters");
  if (!read.user.empty() && read.empty()) refuse("user: goes with token, which is missing");
  return read;
}

Access readAccess(const skh::Config &config) {
  Access access;
  access.credentials = readCredentials(config);
  access.dockerConfig = config.text("docker_config", "");
  if (!access.dockerConfig.empty() && !access.credentials.empty())
    refuse("docker_config: is in place of token, and both are there");
  for (const std::string &name : config.texts("docker_helpers")) {
    if (!oci::isHelperName(name))
      refuse("docker_helpers: \"" + paths::printable(name) +
             R"(" must be the NAME of a program docker-credential-NAME, of a-z, 0-9 and "-")");
    access.helpers.names.insert(name);
  }
  if (!access.helpers.names.empty() && access.dockerConfig.empty())
    refuse("docker_helpers: goes with docker_config, which is missing");
  access.caFile = config.text("ca_file", "");
  access.plainHttp = config.flag("plain_http", false);
  access.plainHttpRegistries = readRegistries(config, "plain_http_registries");
  access.allowPrivateAddresses = config.flag("allow_private_addresses", false);
  return access;
}

std::vector<oci::TrustedKey> readTrustedKeys(const skh::Config &config) {
  std::vector<oci::TrustedKey> all;
  for (const std::string &written : config.texts("trusted_keys")) {
    const std::string place = "trusted_keys[" + std::to_string(all.size()) + "]";
    try {
      all.push_back(oci::readTrustedKey(written, place));
    } catch (const std::runtime_error &error) {
      refuse("trusted_keys: " + paths::printable(error.what()));
    }
  }
  if (config.has("trusted_keys") && all.empty())
    refuse(
        "trusted_keys: names no key, so that nothing could be served; leave it out to serve what "
        "is not signed");
  return all;
}

// Identifies the set of keys, independently of their order.
std::string trustOf(const std::vector<oci::TrustedKey> &keys) {
  std::set<std::string> ids;
  for (const oci::TrustedKey &one : keys) ids.insert(one.key.id());
  std::string all;
  for (const std::string &id : ids) all += "signed by " + id + '\n';
  return all;
}

Limits readLimits(const skh::Config &config) {
  Limits limits;
  const auto read = [&](const char *key, auto &into, std::int64_t maximum) {
    into = readNumber(config, key, into, maximum);
  };
  read("max_artefacts", limits.artefacts, 10'000);
  read("max_artefact_bytes", limits.artefactBytes, 4'294'967'296);
  read("max_fetch_bytes", limits.fetchBytes, 1'099'511'627'776);
  read("max_skills", limits.skills.skills, 100'000);
  read("max_skill_files", limits.skills.files, 1'000'000);
  read("max_skill_bytes", limits.skills.bytes, 1'073'741'824);
  read("max_layer_entries", limits.skills.entries, 10'000'000);
  read("max_unpacked_bytes", limits.skills.unpacked, 17'179'869'184);
  return limits;
}

} // namespace

bool Access::isPlain(const std::string &registry) const {
  return (plainHttp && oci::isThisMachine(registry)) || plainHttpRegistries.contains(registry);
}

bool Settings::takes(const std::string &skill) const {
  return !paths::applies(exclude, skill) && (include.empty() || paths::applies(include, skill));
}

Settings::Settings(std::string_view configuration) : Settings(skh::Config(configuration)) {}

Settings::Settings(const skh::Config &config)
    : references(readReferences(config)), repository(readRepository(config)),
      access(readAccess(config)), trustedKeys(readTrustedKeys(config)),
      refreshEvery(readInterval(config)),
      deadline(static_cast<std::int64_t>(readNumber(config, "deadline_ms", 120'000, 3'600'000))),
      limits(readLimits(config)) {
  named = references;
  if (const std::string written = config.text("catalogue", ""); !written.empty())
    catalogue = readReference("catalogue", written);
  if (references.empty() && !repository && !catalogue)
    refuse("references: is required, or else repository or catalogue");
  std::vector<std::string> patterns = config.texts("tags");
  if (!patterns.empty() && !repository) refuse("tags: goes with repository, which is missing");
  if (patterns.empty()) patterns = {"*"};
  tags = paths::readPatterns("tags", patterns);
  const std::string mode = config.text("take", "newest");
  if (mode != "newest" && mode != "all") refuse(R"(take: must be "newest" or "all")");
  take = mode == "all" ? Take::all : Take::newest;
  registries = readRegistries(config, "allow_registries");
  for (const Reference &one : references) registries.insert(one.registry);
  for (const auto &one : {repository, catalogue})
    if (one) registries.insert(one->registry);
  if (!access.credentials.empty() && registries.size() > 1)
    refuse("token: is for one registry, and there are several: make a source for each, or use "
           "docker_config");
  if (access.plainHttp &&
      std::none_of(registries.begin(), registries.end(),
                   [](const std::string &one) { return oci::isThisMachine(one); }))
    refuse("plain_http: is for registries of this machine, 127.0.0.1, [::1] and localhost; name "
           "others in plain_http_registries");
  // As in the other sources: libcurl checks once a second, so a limit of one second would be too
  // short.
  access.stallTimeout = std::clamp(std::chrono::duration_cast<std::chrono::seconds>(deadline / 4),
                                   std::chrono::seconds(2), std::chrono::seconds(30));
  include = paths::readPatterns("include", config.texts("include"));
  exclude = paths::readPatterns("exclude", config.texts("exclude"));
  about = !references.empty() ? references.front().text()
          : repository        ? repository->name()
                              : catalogue->text();
  for (const Reference &one : references) origin += one.text() + '\n';
  if (repository) origin += "repository " + repository->name() + " " + mode + '\n';
  for (const std::string &one : patterns) origin += "tag " + one + '\n';
  if (catalogue) origin += "catalogue " + catalogue->text() + '\n';
  trust = trustOf(trustedKeys);
  origin += trust;
}

bool Settings::names(const Reference &reference) const {
  return std::any_of(named.begin(), named.end(), [&](const Reference &one) {
    // A lock adds the digest.
    return one.name() == reference.name() && one.tag == reference.tag &&
           (one.digest.empty() || one.digest == reference.digest);
  });
}

} // namespace skillhost::oci_source
