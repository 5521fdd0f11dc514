// SPDX-License-Identifier: Apache-2.0
#include "registry_options.hpp"

#include "ground/shown.hpp"
#include "ground/text.hpp"
#include "settings/paths.hpp"
#include "skill_folder.hpp"

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

namespace skillhost {
namespace {

using app::ParsedArguments;
using app::Surroundings;

constexpr std::uint64_t maxTimeout = 86'400; // seconds
constexpr std::size_t maxLoginBytes = std::size_t{1} << 20U, maxTokenBytes = std::size_t{64} << 10U;

std::string pathGiven(const ParsedArguments &arguments, const char *option,
                      const Surroundings &surroundings) {
  return arguments.has(option) ? settings::absolutePath(arguments.last(option),
                                                        surroundings.workingDirectory, surroundings)
                               : std::string{};
}

oci::Reference readGivenReference(const ParsedArguments &arguments) {
  const std::string written = arguments.last("REFERENCE");
  // A push without a tag must move none; a pull without a tag means the usual one.
  const bool isPush = arguments.commands.back() == "push";
  std::optional<oci::Reference> read =
      isPush ? oci::readRepository(written) : std::optional<oci::Reference>();
  if (!read) read = oci::readReference(written);
  if (!read)
    throw std::runtime_error("\"" + shownLine(written) +
                             "\" must be a reference such as registry.example/team/skill:1.2 or "
                             "registry.example/team/skill@sha256:…, in lower case but for the tag");
  return *std::move(read);
}

// Returns the credentials in the options; empty without options.
oci::Credentials givenCredentials(const ParsedArguments &arguments,
                                  const Surroundings &surroundings) {
  const bool fromVariable = arguments.has("--token-env"), fromFile = arguments.has("--token-file");
  oci::Credentials read{arguments.last("--user"), {}};
  if (fromVariable && fromFile)
    throw std::runtime_error("--token-env and --token-file: one token is enough");
  if (!read.user.empty() && !fromVariable && !fromFile)
    throw std::runtime_error("--user goes with a token: --token-env NAME or --token-file FILE");
  if (read.user.find(':') != std::string::npos || !oci::isPrintable(read.user))
    throw std::runtime_error("--user: may hold no colon and no control characters");
  if (fromVariable)
    read.secret = trimmedAsciiSpace(surroundings.variable(arguments.last("--token-env")));
  if (fromFile)
    read.secret = trimmedAsciiSpace(
        readWholeFile(pathGiven(arguments, "--token-file", surroundings), maxTokenBytes));
  const std::string source = fromVariable ? "--token-env" : "--token-file";
  if ((fromVariable || fromFile) && read.secret.empty())
    throw std::runtime_error(source + ": the token is empty, or not there");
  if (!oci::isPrintable(read.secret))
    throw std::runtime_error(source + ": the token holds control characters");
  return read;
}

// Returns Docker's own file for the case that none is named. It need not exist.
std::string usualLogins(const Surroundings &surroundings) {
  std::string folder = surroundings.variable("DOCKER_CONFIG");
  if (folder.empty()) {
    const std::string home = surroundings.variable("HOME");
    if (home.empty()) return {};
    folder = home + "/.docker";
  }
  std::error_code unknown;
  const std::string file = folder + "/config.json";
  return std::filesystem::is_regular_file(file, unknown) ? file : std::string{};
}

oci::AllowedHelpers allowedHelpers(const ParsedArguments &arguments) {
  oci::AllowedHelpers allowed{{}, "--credential-helper"};
  const auto given = arguments.values.find("--credential-helper");
  if (given == arguments.values.end()) return allowed;
  for (const std::string &name : given->second) {
    if (!oci::isHelperName(name))
      throw std::runtime_error("--credential-helper: \"" + shownLine(name) +
                               "\" must be the NAME of a program docker-credential-NAME, of a-z, "
                               "0-9 and \"-\"");
    allowed.names.insert(name);
  }
  return allowed;
}

oci::Login loginOf(const ParsedArguments &arguments, const Surroundings &surroundings,
                   const oci::Reference &reference) {
  oci::Credentials named = givenCredentials(arguments, surroundings);
  const oci::AllowedHelpers helpers = allowedHelpers(arguments);
  if (arguments.has("--docker-config") && !named.empty())
    throw std::runtime_error("--docker-config is in place of a token, and both are there");
  if (!helpers.names.empty() && !named.empty())
    throw std::runtime_error("--credential-helper is in place of a token, and both are there");
  if (!named.empty()) return {std::move(named), {}, {}};
  const std::string file = arguments.has("--docker-config")
                               ? pathGiven(arguments, "--docker-config", surroundings)
                               : usualLogins(surroundings);
  if (file.empty()) return {};
  const std::string text = readWholeFile(file, maxLoginBytes);
  try {
    return oci::loginFrom(text, reference.registry, reference.repository, helpers);
  } catch (const std::runtime_error &error) {
    throw std::runtime_error(file + ": " + error.what());
  }
}

} // namespace

Result<RegistrySettings> readRegistrySettings(const ParsedArguments &arguments,
                                              const Surroundings &surroundings) try {
  RegistrySettings settings;
  settings.reference = readGivenReference(arguments);
  settings.login = loginOf(arguments, surroundings, settings.reference);
  settings.caFile = pathGiven(arguments, "--ca-file", surroundings);
  settings.plainHttp = arguments.has("--plain-http");
  if (settings.plainHttp && !oci::isThisMachine(settings.reference.registry))
    throw std::runtime_error("--plain-http is for registries of this machine: 127.0.0.1, [::1] and "
                             "localhost");
  settings.allowPrivateAddresses = arguments.has("--allow-private-addresses");
  settings.force = arguments.has("--force");
  auto seconds = static_cast<std::uint64_t>(settings.timeout.count());
  if (Status read = readWholeNumber(arguments, "--timeout", "seconds", maxTimeout, seconds); !read)
    return read.failure();
  settings.timeout = std::chrono::seconds(seconds);
  return settings;
} catch (const std::runtime_error &error) {
  return Failure{Fault::InvalidInput, error.what()};
}

} // namespace skillhost
