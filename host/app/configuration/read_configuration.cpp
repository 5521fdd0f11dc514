// SPDX-License-Identifier: Apache-2.0
#include "configuration/read_configuration.hpp"

#include "configuration/named_sources.hpp"
#include "configuration/oauth_shorthand.hpp"
#include "configuration/older_configuration.hpp"
#include "configuration/places.hpp"
#include "configuration/source_names.hpp"
#include "configuration/usual_folders.hpp"
#include "ground/read_file.hpp"
#include "ground/trusted_path.hpp"
#include "settings/absent_features.hpp"
#include "settings/declared_keys.hpp"
#include "settings/members.hpp"
#include "settings/paths.hpp"

#include <filesystem>
#include <sstream>

namespace skillhost::app {
namespace {

// Reads a text from the environment or the command line as the key's type requires.
Result<Written> fromText(const HostKey &key, const std::string &text) {
  switch (key.shape) {
  case Shape::Flag: {
    if (text == "1" || text == "yes" || text == "on") return plainScalar("true");
    if (text == "0" || text == "no" || text == "off") return plainScalar("false");
    return plainScalar(text);
  }
  case Shape::WholeNumber:
  case Shape::Number:
    return plainScalar(text);
  case Shape::Text:
  case Shape::Choice:
    return Written::ofText(text);
  case Shape::TextList: {
    if (const auto json = parseJson(text); json && json->is_array()) break;
    // Folders are separated by colons, as in PATH. Globs may contain a colon, but hardly a comma.
    const char separator = key.rule.meaning == Meaning::Path ? ':' : ',';
    Written list;
    list.kind = Written::Kind::List;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, separator);)
      if (!part.empty()) list.items.push_back(Written::ofText(part));
    return list;
  }
  case Shape::NumberMap:
  case Shape::Object:
  case Shape::Entries:
    break;
  }
  return readDocument(text); // as in the file
}

class ConfigurationReader {
public:
  ConfigurationReader(const CommandLineSettings &commandLine, const Surroundings &surroundings)
      : commandLine_(commandLine), surroundings_(surroundings) {}

  Result<LoadedConfiguration> read() {
    if (!commandLine_.noFile) readOwnFile();
    std::vector<std::string> folders;
    before(folders);
    readEnvironment();
    before(folders);
    readOptions();
    before(folders);
    addFolders(folders);
    addUsualFolders();
    expandOauth(configuration().auth, configuration().access);
    if (!configuration().projectRoot) configuration().projectRoot = surroundings_.workingDirectory;
    addFilesBeside();
    takeStrict();
    checkNeeded();
    checkCallers();
    checkState();
    checkNames();
    if (problems_.empty()) return std::move(result_);
    std::string message;
    for (const std::string &problem : problems_) message += (message.empty() ? "" : "\n") + problem;
    return Failure{Fault::InvalidInput, std::move(message)};
  }

private:
  Configuration &configuration() { return result_.configuration; }

  std::string placed(const std::string &key) const { return placedKey(result_.configuration, key); }

  // If the two keys disagree, the start fails, so that neither silently wins over the other.
  void takeStrict() {
    Configuration &now = configuration();
    if (!now.strict) return;
    if (now.skillRules != Strictness::Strict && now.places.contains("skill_rules"))
      problems_.push_back(placed("strict") + ": means skill_rules: strict, and " +
                          placed("skill_rules") + " says something else: take one of them out");
    now.skillRules = Strictness::Strict;
  }

  // Replicas with different secrets would not recognise each other. Without a secret, anybody who
  // reaches the engine could forge owners of sessions. Without an engine, the secret protects
  // session ids.
  void checkState() {
    const StateConfiguration &state = configuration().state;
    if (state.plugin == "memory") {
      if (!state.config.empty())
        result_.warnings.push_back(placed("state.config") +
                                   ": is not used: state.plugin is memory, each process keeps its "
                                   "own; write state.plugin: valkey to share");
      if (state.secret && configuration().transport == Transport::Stdio)
        result_.warnings.push_back(placed("state.secret") +
                                   ": is not used: on stdio one process has one client");
      return;
    }
    // A wrong secret has already been reported.
    if (!state.secret && !configuration().places.contains("state.secret"))
      problems_.push_back(placed("state.plugin") +
                          ": the replicas need a secret that is the same for all of them: write "
                          "state.secret: env:NAME too, or set SKILLHOST_STATE_SECRET, of at least "
                          "32 bytes (`openssl rand -hex 32` makes one)");
    if (configuration().transport == Transport::Stdio)
      result_.warnings.push_back(placed("state.plugin") +
                                 ": a server on stdio leaves it alone, since it has one client "
                                 "and shares nothing (transport: http has many)");
  }

  void checkNames() {
    // An entry that could not be read may have been a source, so the names are checked only if
    // there are no problems.
    if (!commandLine_.checkNames || !problems_.empty()) return;
    const bool usual = configuration().usualFolders.value_or(byHabit());
    const NameProblems names =
        checkNamedSources(configuration(), usual ? usualSourceNames() : std::vector<std::string>{});
    takeNameProblems(names);
    takeNameProblems(checkNamedTools(configuration(), surroundings_.featureTools));
  }

  void takeNameProblems(const NameProblems &names) {
    problems_.insert(problems_.end(), names.problems.begin(), names.problems.end());
    result_.warnings.insert(result_.warnings.end(), names.warnings.begin(), names.warnings.end());
  }

  // Reports each key of a feature that means nothing without another key which is not set.
  void checkNeeded() {
    const auto isSet = [&](const HostKey *key) {
      const Json value = key == nullptr ? Json() : key->toJson(configuration());
      return !value.empty() && value != Json(false) && value != Json("");
    };
    for (const HostKey &key : hostKeys()) {
      if (key.declared == nullptr || !isSet(&key)) continue;
      for (const auto &[other, why] : key.declared->needed)
        if (!isSet(findKey(other))) problems_.push_back(placed(std::string(key.name)) + ": " + why);
    }
  }

  // Rejects client certificates that nobody would be asked for, and warns about trusted proxies
  // that let everybody forge an address.
  void checkCallers() {
    const HttpConfiguration &http = configuration().http;
    if (http.tlsClientCertificates && !http.tlsClientCa)
      problems_.push_back(placed("http.tls_client_certificates") +
                          ": without authorities the server asks for no client certificate: write "
                          "http.tls_client_ca: /path/to/authorities.pem too, or remove this key");
    for (const std::string &one : http.trustedProxies)
      if (one.ends_with("/0"))
        result_.warnings.push_back(
            placed("http.trusted_proxies") + ": " + one +
            " means everybody, so every client could forge its address: name only the proxies");
  }

  // Sets each path that is not set to the default file of its key, in the folder of the
  // configuration file. Without a configuration file it is the working directory, and only for a
  // key that allows this: somebody else may have put a file there, as in a project that was opened
  // in an editor.
  void addFilesBeside() {
    const std::filesystem::path file(result_.file);
    const std::filesystem::path folder =
        file.empty() ? std::filesystem::path(surroundings_.workingDirectory) : file.parent_path();
    FeatureSettings &features = configuration().features;
    for (const settings::Declaration &one : declarations().keys)
      if (!one.beside.empty() && (one.orHere || !file.empty()) && features.value(one.key).is_null())
        features.set(one.key, (folder / one.beside).string());
  }

  void take(Reading &reading) {
    problems_.insert(problems_.end(), reading.problems.begin(), reading.problems.end());
    for (auto &[key, place] : reading.places) configuration().places[key] = place;
    auto &secrets = configuration().secrets;
    secrets.insert(secrets.end(), reading.secrets.begin(), reading.secrets.end());
  }

  // Puts the folders that this layer named in front of those of the lower layers.
  void before(std::vector<std::string> &folders) {
    std::vector<std::string> named = std::move(configuration().skillsDirs);
    configuration().skillsDirs.clear();
    auto &places = configuration().places;
    for (std::size_t i = 0; i < named.size(); ++i)
      places[folderKey(named[i])] = places["skills_dirs[" + std::to_string(i) + ']'];
    named.insert(named.end(), folders.begin(), folders.end());
    folders = std::move(named);
  }

  // Returns the path of the configuration file; empty if there is none. Only a file that somebody
  // named must exist.
  std::string findFile() const {
    std::string path = configurationFile(commandLine_, surroundings_);
    if (commandLine_.file || !surroundings_.variable("SKILLHOST_CONFIG").empty()) return path;
    std::error_code unknown;
    return std::filesystem::exists(path, unknown) ? path : std::string{};
  }

  void readOwnFile() {
    const std::string path = findFile();
    if (path.empty()) return;
    if (const Status trusted = checkTrusted(path); !trusted) {
      problems_.push_back("the configuration is not read: " + trusted.failure().message);
      return;
    }
    constexpr std::size_t maxFileBytes = 16'777'216; // bytes
    const Result<std::string> content =
        readFile(path, maxFileBytes, surroundings_.readsPipes ? FileKind::Any : FileKind::Regular);
    if (!content) {
      problems_.push_back("cannot read the configuration " + path + ": " +
                          content.failure().message);
      return;
    }
    result_.file = path;
    Reading reading{path, std::filesystem::path(path).parent_path().string(), surroundings_,
                    commandLine_.resolveReferences};
    reading.removedKey = removedKey;
    readText(reading, *content);
    take(reading);
  }

  void readText(Reading &reading, const std::string &text) {
    Result<Written> document = readDocument(text);
    // YAML accepts some texts that JSON does not, for instance an additional comma, and existing
    // files that rely on this stay valid. If a file is neither, the message is that of the JSON
    // reader.
    const std::string notJson = reading.origin.ends_with(".json") ? whyNotJson(text) : "";
    if (!document) {
      reading.problems.push_back(reading.origin + ':' +
                                 (notJson.empty() ? document.failure().message : notJson));
      return;
    }
    if (document->kind == Written::Kind::Null) return;
    const auto firstWarning = static_cast<std::ptrdiff_t>(result_.warnings.size());
    readRoot(reading, *std::move(document));
    if (notJson.empty()) return;
    // The JSON error comes first, because problems that YAML finds may only follow from it.
    std::string why = reading.origin + ':' + notJson;
    if (reading.problems.empty())
      result_.warnings.insert(result_.warnings.begin() + firstWarning,
                              why + "; it is read as YAML");
    else
      reading.problems.insert(reading.problems.begin(), std::move(why));
  }

  void readRoot(Reading &reading, Written document) {
    if (document.kind != Written::Kind::Map)
      return reading.problem(document, "expected keys with values such as \"expose: gateway\", "
                                       "found " +
                                           document.described());
    if (isOlderConfiguration(document))
      document = translateOlderConfiguration(reading, document, result_.warnings);
    readMembers(reading, document, hostKeys(), configuration());
  }

  void readValueOf(const HostKey &key, const CommandLineOption &option) {
    Reading reading{option.origin, surroundings_.workingDirectory, surroundings_,
                    commandLine_.resolveReferences};
    reading.base = option.key;
    reading.removedKey = removedKey;
    reading.note(0, 0);
    Written whole;
    if (key.shape == Shape::TextList && !option.isWholeListInOneText) {
      whole.kind = Written::Kind::List;
      for (const std::string &value : option.values) whole.items.push_back(Written::ofText(value));
    } else {
      Result<Written> read = fromText(key, option.values.back());
      if (!read) {
        problems_.push_back(option.origin + ": " + read.failure().message);
        return;
      }
      whole = std::move(*read);
    }
    if (whole.kind != Written::Kind::Null) key.read(reading, whole, key, configuration());
    take(reading);
  }

  bool isNamed(const char *key) const {
    const auto named = [&](const CommandLineOption &option) { return option.key == key; };
    return !surroundings_.variable(variableName(key)).empty() ||
           std::any_of(commandLine_.options.begin(), commandLine_.options.end(), named);
  }

  // True if the usual folders are served although the configuration does not mention them.
  bool byHabit() const {
    return result_.file.empty() && result_.configuration.transport == Transport::Stdio &&
           !isNamed("sources") && !isNamed("skills_dirs") && !isNamed("tools");
  }

  // Adds the usual folders after all other sources, so that named sources have precedence.
  void addUsualFolders() {
    Configuration &now = configuration();
    if (!now.usualFolders.value_or(byHabit()) || !problems_.empty()) return;
    std::string text, all;
    UsualFolders found = usualFolders(surroundings_, now.sources);
    for (SourceConfiguration &one : found.sources) {
      text += (text.empty() ? "" : ", ") + one.config["directories"][0].get<std::string>() +
              " as " + one.name;
      now.sources.push_back(std::move(one));
    }
    for (const std::string &name : usualFolderNames()) all += (all.empty() ? "" : ", ") + name;
    for (const std::string &one : found.notServed)
      result_.warnings.push_back("the usual folder " + one);
    // Beside other sources, a usual folder is served as soon as it exists, so this is only a
    // notice.
    if (!found.areThere)
      (now.sources.empty() ? result_.warnings : result_.notices)
          .push_back("none of the usual folders is there (" + all + ")");
    if (!text.empty())
      result_.notices.push_back("serving the usual folders that are there: " + text);
  }

  void readEnvironment() {
    std::vector<std::string> known{"SKILLHOST_CONFIG"};
    for (const HostKey &key : hostKeys()) {
      const std::string name = known.emplace_back(variableName(key.name));
      if (const std::string value = surroundings_.variable(name); !value.empty())
        readValueOf(key, {name, std::string(key.name), {value}, true});
    }
    // Older servers used these names for the two keys.
    for (const auto &[name, key] :
         {std::pair{"MCP_OAUTH_CLIENT_ID", "auth.oauth_client_id"},
          std::pair{"MCP_OAUTH_CLIENT_SECRET", "auth.oauth_client_secret"}})
      if (const std::string value = surroundings_.variable(name);
          !value.empty() && surroundings_.variable(variableName(key)).empty())
        readValueOf(*findKey(key), {name, key, {value}, true});
    for (const auto &[name, value] : surroundings_.variables)
      if (name.starts_with("SKILLHOST_") &&
          std::find(known.begin(), known.end(), name) == known.end()) {
        const std::string why = value.empty() ? std::string() : absentVariable(name);
        if (!why.empty())
          problems_.push_back(name + ": " + why);
        else
          result_.warnings.push_back("the environment variable " + name +
                                     " is unknown and has no effect" + didYouMean(name, known));
      }
  }

  void readOptions() {
    for (const CommandLineOption &option : commandLine_.options) {
      if (const HostKey *key = findKey(option.key)) {
        readValueOf(*key, option);
        continue;
      }
      const std::vector<std::string_view> names = keyNames(hostKeys());
      const std::vector<std::string> known(names.begin(), names.end());
      std::string hint = absentKey(option.key);
      if (hint.empty()) hint = didYouMean(option.key, known);
      if (hint.empty()) hint = sectionHint(option.key, names);
      problems_.push_back(option.origin + ": unknown key \"" + option.key + '"' + hint);
    }
  }

  // Adds a source for each folder before the other sources. A folder that is named twice counts
  // once.
  void addFolders(const std::vector<std::string> &folders) {
    std::vector<SourceConfiguration> &sources = configuration().sources;
    std::vector<std::string> seen;
    std::size_t at = 0;
    for (const std::string &folder : folders) {
      if (std::find(seen.begin(), seen.end(), folder) != seen.end()) continue;
      seen.push_back(folder);
      if (const std::string wrong = settings::problemUnlessUtf8(folder); !wrong.empty()) {
        problems_.push_back(configuration().places[folderKey(folder)] + ": " + folder + wrong);
        continue;
      }
      SourceConfiguration source;
      source.name = nameForPath(folder, sources);
      source.key = folderKey(folder);
      source.config["directories"] = Json::array({folder});
      if (commandLine_.hidden) source.config["hidden"] = true;
      if (!commandLine_.watch.empty()) source.config["watch"] = commandLine_.watch;
      sources.insert(sources.begin() + static_cast<std::ptrdiff_t>(at++), std::move(source));
    }
  }

  const CommandLineSettings &commandLine_;
  const Surroundings &surroundings_;
  LoadedConfiguration result_;
  std::vector<std::string> problems_;
};

} // namespace

std::string configurationFile(const CommandLineSettings &commandLine,
                              const Surroundings &surroundings) {
  const std::string &here = surroundings.workingDirectory;
  if (commandLine.file) return absolutePath(*commandLine.file, here, surroundings);
  if (const std::string named = surroundings.variable("SKILLHOST_CONFIG"); !named.empty())
    return absolutePath(named, here, surroundings);
  std::string folder = surroundings.variable("XDG_CONFIG_HOME");
  if (const std::string home = surroundings.variable("HOME"); folder.empty() && !home.empty())
    folder = home + "/.config";
  return folder.empty() ? folder : folder + "/skillhost/skillhost.yaml";
}

Result<LoadedConfiguration> readConfiguration(const CommandLineSettings &commandLine,
                                              const Surroundings &surroundings) {
  return ConfigurationReader(commandLine, surroundings).read();
}

} // namespace skillhost::app
