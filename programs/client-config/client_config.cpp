// SPDX-License-Identifier: Apache-2.0
#include "client_config.hpp"

#include "app/log_configuration.hpp"
#include "catalogue_command.hpp"
#include "file_change.hpp"
#include "ground/shell.hpp"
#include "ground/shown.hpp"
#include "known_configuration.hpp"
#include "program.hpp"
#include "settings/paths.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace skillhost::app {
namespace {

// `claude mcp add` has no option for alwaysLoad; `add-json` writes the entry unchanged.
std::string claudeCommand(const Json &entry, const std::string &name) {
  return "claude mcp add-json --scope user " + shellQuoted(name) + ' ' + shellQuoted(entry.dump()) +
         '\n';
}

// The keys of an entry that say how its server is started or reached. All other keys belong to the
// user.
constexpr std::array<const char *, 15> transportKeys{
    "type",    "command",      "args",     "url",  "serverUrl",
    "httpUrl", "headers",      "source",   "uri",  "cmd",
    "envs",    "http_headers", "env_vars", "name", "bearer_token_env_var"};

// Returns true for keys that say how the client treats the server, because the user may have
// changed them.
bool isOwners(const std::string &key) {
  return key == "enabled" || key == "timeout" || key == "alwaysLoad";
}

Json mergedWith(const Json *now, const Json &entry) {
  if (now == nullptr || !now->is_object()) return entry;
  Json merged = *now;
  for (const char *key : transportKeys) merged.erase(key);
  Json out = entry;
  for (const auto &one : merged.items())
    if (!out.contains(one.key()) || isOwners(one.key())) out[one.key()] = one.value();
  return out;
}

int complain(const Failure &failure, const ClientInvocation &wanted) {
  printShown(stderr, "skillhost: %s\n", failure.message.c_str());
  if (wanted.action == ClientInvocation::Action::Remove) {
    printShown(stderr, "Nothing was written. Take the entry \"%s\" out by hand.\n",
               wanted.name.c_str());
    return 1;
  }
  // There is no text if the client's file cannot express the entry.
  const Result<std::string> text = textToMerge(wanted);
  printShown(stderr, "Nothing was written.%s\n", text ? " Merge this by hand:" : "");
  if (text) std::fputs(text->c_str(), stderr);
  return 1;
}

int change(const ClientInvocation &wanted, const Client &client) {
  const bool removes = wanted.action == ClientInvocation::Action::Remove;
  const Result<std::string> text = edit::textOf(wanted.file);
  if (!text) return complain(text.failure(), wanted);
  const Result<Json> document = edit::read(client.format, *text);
  if (!document)
    return complain({Fault::InvalidFormat, wanted.file + ": cannot be read, so it is left alone: " +
                                               document.failure().message},
                    wanted);
  edit::FileChange change{wanted.file, client.format, {}, FileReaders::Everybody};
  change.change.path = entryPath(client, *document, wanted.name);
  std::vector<std::string> list = change.change.path;
  list.pop_back();
  if (const Json *servers = edit::find(*document, list);
      servers != nullptr && !servers->is_null() && !servers->is_object())
    return complain({Fault::Conflict,
                     wanted.file + ": " + list.back() + " is not a map of servers by their names"},
                    wanted);
  if (!removes) {
    const Result<Json> entry = entryFor(client, wanted.server, wanted.name);
    if (!entry) return complain(entry.failure(), wanted);
    change.change.value = mergedWith(edit::find(*document, change.change.path), *entry);
    if (!wanted.server.headers.empty()) change.readers = FileReaders::Owner;
  }
  const Result<edit::FileChanged> done = edit::changeFile(change);
  if (!done) return complain(done.failure(), wanted);
  if (!done->changed) {
    printShown(stdout, "%s: nothing to do, %s\n", wanted.file.c_str(),
               removes ? "the file has no such entry" : "the file already has this entry");
    return 0;
  }
  printShown(stdout, "%s: \"%s\" was %s\n", wanted.file.c_str(), wanted.name.c_str(),
             removes ? "taken out" : "written");
  if (!done->backup.empty()) printShown(stdout, "what it was before: %s\n", done->backup.c_str());
  if (!removes && !client.nextStep.empty())
    printShown(stdout, "%.*s\n", static_cast<int>(client.nextStep.size()), client.nextStep.data());
  return 0;
}

} // namespace

Result<std::string> textToMerge(const ClientInvocation &wanted) {
  const Client &client = *clientNamed(wanted.client);
  const Result<Json> entry = entryFor(client, wanted.server, wanted.name);
  if (!entry) return entry.failure();
  return edit::changed(client.format, "", {entryPath(client, Json::object(), wanted.name), *entry});
}

Result<ClientSnippet> clientSnippet(const ClientInvocation &wanted) {
  const Client &client = *clientNamed(wanted.client);
  if (client.name == "claude-code") {
    const Result<Json> entry = entryFor(client, wanted.server, wanted.name);
    if (!entry) return entry.failure();
    return ClientSnippet{claudeCommand(*entry, wanted.name),
                         "Run this once, or let --write do the same. For one project only: "
                         "--project --write, into its .mcp.json."};
  }
  Result<std::string> text = textToMerge(wanted);
  if (!text) return std::move(text).failure();
  if (client.name == "json") return ClientSnippet{*std::move(text), "Most clients read this form."};
  return ClientSnippet{
      *std::move(text),
      "Merge this into " + wanted.file + ", or let --write do it." +
          (client.projectFile.empty()
               ? ""
               : " For one project only, --project: " + std::string(client.projectFile) + '.')};
}

std::string cachedProgramAdvice(const std::string &executable) {
  const auto isBelow = [&](const char *folder) {
    return executable.find(folder) != std::string::npos;
  };
  const auto advice = [&](const std::string &cache, const std::string &install,
                          const std::string &start) {
    return executable + " is in the cache of " + cache + ", which may be emptied. Install it (`" +
           install + "`) and run this command again, or let the client start `" + start +
           "` in its place.";
  };
  if (isBelow("/skillhost_mcp/tree/bin/") && (isBelow("/archive-v") || isBelow("/environments-v")))
    return advice("uv", "uv tool install skillhost-mcp", "uvx skillhost-mcp");
  if (isBelow("/_npx/"))
    return advice("npx", "npm install -g skillhost-mcp", "npx -y skillhost-mcp");
  return {};
}

std::vector<std::string> missingFolders(const Configuration &configuration) {
  std::vector<std::string> missing;
  for (const SourceConfiguration &source : configuration.sources) {
    const bool isOfFolders =
        source.plugin == "filesystem" || source.plugin == "org.skillhost.filesystem";
    const auto folders = source.config.find("directories");
    const auto optional = source.config.find("optional");
    const bool mayBeMissing = optional != source.config.end() && *optional == Json(true);
    if (!source.enabled || !isOfFolders || mayBeMissing || folders == source.config.end()) continue;
    for (const Json &folder : *folders) {
      std::error_code unknown;
      // The plugin expands a path that begins with ~.
      if (folder.is_string() && folder.get_ref<const std::string &>().starts_with('/') &&
          !std::filesystem::exists(folder.get<std::string>(), unknown))
        missing.push_back(folder.get<std::string>());
    }
  }
  return missing;
}

int configureClient(const ClientInvocation &wanted) {
  const Client &client = *clientNamed(wanted.client);
  if (wanted.action != ClientInvocation::Action::Remove)
    if (const Result<Json> entry = entryFor(client, wanted.server, wanted.name);
        entry && !startedServer(*entry).words.empty())
      if (const std::string advice = cachedProgramAdvice(wanted.server.executable); !advice.empty())
        printShown(stderr, "%s\n", advice.c_str());
  if (wanted.action != ClientInvocation::Action::Print) return change(wanted, client);
  const Result<ClientSnippet> snippet = clientSnippet(wanted);
  if (!snippet) return programs::refuse(snippet.failure());
  printShown(stderr, "%s\n", snippet->where.c_str());
  std::fputs(snippet->text.c_str(), stdout);
  return 0;
}

namespace {

// Warns of folders without which the server that the client starts does not start.
void warnOfMissingFolders(const ParsedArguments &arguments, const Surroundings &surroundings) {
  // A variable that only the client sets is no problem here.
  const Result<KnownConfiguration> known = knownConfiguration(
      arguments, surroundings, {.mayFail = true, .resolveReferences = false, .checkNames = false});
  if (!known) return;
  for (const std::string &folder : missingFolders(known->configuration))
    printShown(stderr,
               "skillhost: the folder of skills %s does not exist: create it, or name another one; "
               "without it the server does not start\n",
               folder.c_str());
}

void warnOfMissingFile(const ParsedArguments &arguments, const Surroundings &surroundings) {
  if (!arguments.has("--config")) return;
  const std::string file =
      absolutePath(arguments.last("--config"), surroundings.workingDirectory, surroundings);
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown))
    printShown(stderr,
               "skillhost: the configuration %s does not exist: create it, or name another one; "
               "without it the server does not start\n",
               file.c_str());
}

int runClientConfig(const ParsedArguments &arguments, const Surroundings &surroundings) {
  const Result<ClientInvocation> wanted = clientConfigInvocation(arguments, surroundings);
  if (!wanted) return programs::refuse(wanted.failure());
  const Logging logging({}, surroundings);
  if (wanted->action != ClientInvocation::Action::Remove && wanted->server.url.empty())
    warnOfMissingFile(arguments, surroundings);
  if (wanted->action == ClientInvocation::Action::Write && wanted->server.url.empty())
    warnOfMissingFolders(arguments, surroundings);
  return configureClient(*wanted);
}

} // namespace

CatalogueCommand clientConfigCommand() {
  return {{clientConfigDescription()}, runClientConfig, "client-config"};
}

} // namespace skillhost::app
