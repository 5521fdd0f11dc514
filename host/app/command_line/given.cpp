// SPDX-License-Identifier: Apache-2.0
#include "command_line/given.hpp"

#include "configuration/keys.hpp"

#include <algorithm>

namespace skillhost::app {

Result<CommandLineSettings> givenSettings(const ParsedArguments &arguments) {
  CommandLineSettings settings;
  if (arguments.has("--config")) settings.file = arguments.last("--config");
  settings.noFile = arguments.has("--no-config");
  settings.hidden = arguments.has("--hidden");
  settings.watch = arguments.last("--watch");
  for (const HostKey &key : hostKeys()) {
    const std::string option(key.option);
    if (option.empty() || !arguments.has(option)) continue;
    settings.options.push_back(
        {option, std::string(key.name), arguments.values.at(option), key.shape != Shape::TextList});
  }
  if (arguments.has("--set"))
    for (const std::string &pair : arguments.values.at("--set")) {
      const std::size_t equals = pair.find('=');
      if (equals == std::string::npos)
        return refusedArguments({}, "--set " + pair +
                                        ": write --set KEY=VALUE, such as --set "
                                        "limits.max_depth=20");
      const std::string key = pair.substr(0, equals);
      settings.options.push_back({"--set " + key, key, {pair.substr(equals + 1)}, true});
    }
  if (arguments.has("--verbose"))
    settings.options.push_back({"--verbose", "log.level", {"DEBUG"}, true});
  return settings;
}

Status checkTransport(const CommandLineSettings &settings, LoadedConfiguration &read) {
  const Configuration &configuration = read.configuration;
  if (configuration.transport == Transport::Http) return Done{};
  for (const CommandLineOption &option : settings.options)
    if (option.key.starts_with("http."))
      return {Fault::InvalidInput,
              option.origin + ": this option is for HTTP, but the server would serve one client on "
                              "standard input: add --transport http, or remove the option"};
  if (configuration.places.contains("transport")) return Done{};
  for (const auto &[key, place] : configuration.places)
    if (key.starts_with("http.")) {
      read.warnings.push_back(
          place + ": " + key +
          ": this key has no effect, because the server serves one client on standard input: write "
          "transport: http to serve over HTTP, or transport: stdio to keep standard input");
      break;
    }
  return Done{};
}

void raiseLogLevel(LoadedConfiguration &read, LogLevel least) {
  const auto place = read.configuration.places.find("log.level");
  const bool isAsked = place != read.configuration.places.end() &&
                       (read.file.empty() || !place->second.starts_with(read.file + ':'));
  LogLevel &level = read.configuration.log.level;
  if (!isAsked) level = std::max(level, least);
}

} // namespace skillhost::app
