// SPDX-License-Identifier: Apache-2.0
// Carries out `skillhost add`, `remove`, `update` and `list`. They change the configuration file as
// text, see programs/edit: all lines except those of the changed entry stay as they are. If that is
// impossible, nothing is written, and the message says what to write by hand.
#include "app/host_features.hpp"
#include "catalogue_command.hpp"
#include "configuration/read_configuration.hpp"
#include "configuration/source_names.hpp"
#include "file_change.hpp"
#include "ground/counted.hpp"
#include "ground/shell.hpp"
#include "ground/shown.hpp"
#include "ground/sorted_json.hpp"
#include "json_output.hpp"
#include "known_configuration.hpp"
#include "new_source.hpp"
#include "origin.hpp"
#include "own_sources_options.hpp"
#include "program.hpp"
#include "settings/paths.hpp"
#include "settings/secrets.hpp"
#include "settings/yaml_text.hpp"
#include "sources.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace skillhost::app {
namespace {

// The text of a new configuration file. It keeps the usual folders, which are served without a
// file.
constexpr const char *initialYaml =
    "# The skills that skillhost serves; `skillhost --example-config` shows every key.\n"
    "# Besides the sources below: ~/.claude/skills and the other usual folders.\n"
    "usual_folders: true\n";
// The text of a new configuration file whose name ends with .json.
constexpr const char *initialJson = "{\n  \"usual_folders\": true\n}\n";

// Prints the reason and returns the exit code 1.
int fail(const std::string &why) {
  printShown(stderr, "skillhost: %s\n", why.c_str());
  return 1;
}

constexpr const char *notAdded = "\nNothing was written; --no-check adds it all the same.";

class OwnSources {
public:
  OwnSources(const OwnSourcesInvocation &own, const KnownConfiguration &known,
             const std::string &executable)
      : own_(own), known_(known), executable_(executable) {}

  int add() {
    Result<Origin> origin =
        originOf(own_.words.front(), own_.plugin, own_.workingDirectory, own_.home);
    if (!origin) return fail(origin.failure().message);
    if (own_.hidden && origin->plugin == "well_known")
      return fail("--hidden: is for folders and git repositories; an index has no folders");
    const Result<Json> document = read();
    if (!document) return fail(document.failure().message);
    if (document->contains("skill_sources"))
      return fail(own_.file + ": has the form of an older server, which is not changed: write the "
                              "entry into its skill_sources");
    // In the address of a page, "tree/feature/x/pdf", only the remote knows where the ref ends. So
    // the address is tried with each possible ref, the longest first. With --no-check nothing is
    // tried, and the shortest ref is taken: one segment, "feature".
    std::vector<Origin> interpretations = interpretationsOf(*origin);
    if (!own_.triesSource)
      interpretations.erase(interpretations.begin(), interpretations.end() - 1);
    for (std::size_t i = 0; i < interpretations.size(); ++i)
      if (const std::optional<int> code =
              addInterpretation(interpretations[i], i + 1 == interpretations.size(), *document))
        return *code;
    return 1; // not reached, because the last interpretation returns an exit code
  }

  int remove() {
    int code = 0;
    for (const std::string &word : own_.words) code = std::max(code, removeSource(word));
    return code;
  }

  int update() {
    Configuration refreshed = known_.configuration;
    WantedSources wanted{{}, own_.json};
    std::vector<std::pair<std::string, std::string>> refs;
    for (const std::string &word : own_.words) {
      const std::size_t at = word.find('@');
      const std::string name = word.substr(0, at);
      wanted.names.push_back(name);
      if (at == std::string::npos) continue;
      refs.emplace_back(name, word.substr(at + 1));
      if (!mayChangeRef(name, refs.back().second)) return 1;
      if (const Result<std::string> text = settings::writtenLiterally(refs.back().second); !text)
        return fail(word + ": " + text.failure().message +
                    "; write the name of a branch, a tag or a commit");
      for (SourceConfiguration &source : refreshed.sources)
        if (source.name == name) source.config["ref"] = refs.back().second;
    }
    std::map<std::string, std::string> revisions;
    const int code = refreshSources(refreshed, executable_, wanted, &revisions);
    if (code != 0 && !refs.empty()) return fail("nothing was written to " + own_.file);
    for (const auto &[name, ref] : refs)
      if (!changeRef(name, wholeRef(ref, revisions[name]))) return 1;
    return refs.empty() ? code : std::max(code, failIfLocked("holds what was served before"));
  }

  int list() {
    const Result<std::vector<SourceConfiguration>> known = knownSources();
    if (!known) return fail(known.failure().message);
    const std::vector<SourceConfiguration> &sources = *known;
    if (!known_.problems.empty())
      printShown(stderr,
                 "skillhost: this is what the file lists; it cannot be served as it is:\n%s\n",
                 known_.problems.c_str());
    if (own_.json) {
      Json all = Json::array();
      for (const SourceConfiguration &source : sources)
        all.push_back({{"name", source.name},
                       {"plugin", source.plugin},
                       {"enabled", source.enabled},
                       {"from", originInWords(source.config)}});
      const std::string &read = known_.problems.empty() ? known_.file : own_.file;
      printJson(Json{{"file", read}, {"sources", all}});
      return 0;
    }
    std::size_t name = 0, plugin = 0;
    for (const SourceConfiguration &source : sources) {
      name = std::max(name, source.name.size());
      plugin = std::max(plugin, source.plugin.size());
    }
    for (const SourceConfiguration &source : sources)
      printShown(stdout, "%-*s  %-*s  %s%s\n", static_cast<int>(name), source.name.c_str(),
                 static_cast<int>(plugin), source.plugin.c_str(),
                 shownLine(originInWords(source.config)).c_str(), source.enabled ? "" : "  (off)");
    if (sources.empty())
      printShown(stdout, "no sources; skillhost add OWNER/REPO, a URL or a folder adds one to %s\n",
                 own_.file.c_str());
    return 0;
  }

private:
  // Adds a source with this origin and returns the exit code. Returns nothing if the repository has
  // no such ref, unless this is the last reading of the address.
  std::optional<int> addInterpretation(const Origin &origin, bool isLast,
                                       const Json &document) const {
    std::string from = originInWords(origin.config);
    Json written = origin.config;
    if (const Status literal = makeLiteral(written); !literal)
      return fail(own_.words.front() + ": " + literal.failure().message +
                  "; write it without, or the entry into " + own_.file + " by hand");
    if (!own_.tokenVariable.empty()) {
      if (origin.plugin == "filesystem") return fail("--token-env: a folder needs no token");
      if (!settings::isVariableName(own_.tokenVariable))
        return fail("--token-env " + own_.tokenVariable +
                    ": write the name of a variable of the environment, such as TEAM_TOKEN");
      written["token"] = "env:" + own_.tokenVariable;
    }
    if (own_.hidden) written["hidden"] = true;
    if (reportIfPresent(document, written)) return 0;
    const std::string name =
        own_.name.empty() ? nameForPath(origin.name, takenNames(document)) : own_.name;
    if (const std::string holder = holderOf(name, document); !holder.empty())
      return fail("--name " + name + ": " + holder + " has that name; choose another one");
    Json entry{{"name", name}, {"plugin", origin.plugin}, {"config", std::move(written)}};
    const NewSource tried = trySource(entry);
    if (!isLast && tried.isMisnamed) return std::nullopt;
    if (!tried.failure.empty()) return fail(own_.words.front() + ": " + tried.failure + notAdded);
    if (own_.triesSource && tried.skillCount == 0) return failWithoutSkills(entry, tried);
    if (const auto ref = origin.config.find("ref"); ref != origin.config.end())
      if (const std::string whole = wholeRef(ref->get<std::string>(), tried.revision);
          whole != ref->get_ref<const std::string &>()) {
        entry["config"]["ref"] = whole;
        if (reportIfPresent(document, entry["config"])) return 0;
        Json shown = origin.config;
        shown["ref"] = whole;
        from = originInWords(shown);
      }
    if (!change({{"sources", "-"}, entry},
                "Write this entry into its `sources`: " + settings::yamlInline(entry)))
      return 1;
    printShown(stdout, "added %s to %s: ", name.c_str(), own_.file.c_str());
    if (own_.triesSource)
      printShown(stdout, "%s from ", counted(tried.skillCount, "skill").c_str());
    printShown(stdout, "%s\n", from.c_str());
    return failIfLocked("does not name " + name + ", so that no server starts now");
  }

  // If the file has a source with this configuration, prints its name and returns true.
  bool reportIfPresent(const Json &document, const Json &config) const {
    const std::string name = nameOfSourceWith(document, config);
    if (!name.empty())
      printShown(stdout, "%s is there already, as %s in %s\n", own_.words.front().c_str(),
                 name.c_str(), own_.file.c_str());
    return !name.empty();
  }

  // Prints why the source has no skills, as far as that is known, and what to do. Returns 1: a
  // source without skills is probably a mistake.
  int failWithoutSkills(Json entry, const NewSource &tried) const {
    const std::string none = own_.words.front() + ": holds no skill that can be served";
    Json &config = entry["config"];
    if (entry["plugin"] != "well_known" && !config.contains("hidden")) {
      config["hidden"] = true;
      if (const NewSource all = trySource(entry); all.skillCount != 0)
        return fail(none + " but " + counted(all.skillCount, "skill") +
                    " below folders whose names begin with a dot, such as " + all.firstSkill +
                    ": add it with --hidden" + notAdded);
    }
    std::string why = none;
    for (const std::string &remark : tried.remarks) why += "\n  " + remark;
    return fail(why + notAdded);
  }

  // Returns 0 if the configuration is not locked. Otherwise the lock decides what is served, so
  // this prints `why`, which follows the name of the lock file, with advice, and returns 1.
  int failIfLocked(const std::string &why) const {
    const FeatureSettings &now = known_.configuration.features;
    if (!FeatureSettings::isDeclared("locked") || !now.flag("locked")) return 0;
    return fail("the configuration is locked by " +
                now.textIfAny("skills_lock").value_or("skills.lock") + ", which " + why +
                ": look at it, then run `skillhost lock --config " + shellQuoted(own_.file) + '`');
  }

  Result<Json> read() const {
    const Result<std::string> text = edit::textOf(own_.file);
    if (!text) return text.failure();
    Result<Json> document = edit::read(formatOf(*text), *text);
    if (!document)
      return Failure{Fault::InvalidFormat, own_.file + ':' + document.failure().message};
    return document;
  }

  // JSON is YAML, too, but additions to it must also be JSON.
  edit::Format formatOf(const std::string &text) const {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool isJson = first == std::string::npos
                            ? own_.file.ends_with(".json")
                            : text[first] == '{' && edit::read(edit::Format::Json, text);
    return isJson ? edit::Format::Json : edit::Format::Yaml;
  }

  // Returns the index of the entry with that name in the file's list, or the size of the list.
  static std::size_t indexOf(const Json &list, const std::string &name) {
    std::size_t index = 0;
    for (; index < list.size(); ++index)
      if (list[index].is_object() && textIn(list[index], "name", "") == name) break;
    return index;
  }
  static const Json &listIn(const Json &document, const char *key) {
    static const Json none = Json::array();
    const Json *list = edit::find(document, {key});
    return list != nullptr && list->is_array() ? *list : none;
  }
  // Returns the name of the source in the file with this config; empty if there is none. The order
  // of keys does not count, so both are compared as sorted JSON.
  std::string nameOfSourceWith(const Json &document, const Json &config) const {
    for (const Json &source : listIn(document, "sources"))
      if (const Json *known = edit::find(source, {"config"});
          known != nullptr && source.contains("name") &&
          nlohmann::json(*known) == nlohmann::json(config))
        return source["name"].is_string() ? source["name"].get<std::string>() : "";
    return {};
  }

  // Returns the sources of the configuration, or those in its file if the configuration could not
  // be read.
  Result<std::vector<SourceConfiguration>> knownSources() const {
    if (known_.problems.empty()) return known_.configuration.sources;
    const Result<Json> document = read();
    if (!document) return document.failure();
    if (document->contains("skill_sources")) return Failure{Fault::InvalidInput, known_.problems};
    std::vector<SourceConfiguration> all;
    const auto add = [&](std::string name, const Json &config) -> SourceConfiguration & {
      SourceConfiguration &source = all.emplace_back();
      source.name = std::move(name);
      source.config = config;
      return source;
    };
    for (const Json &folder : listIn(*document, "skills_dirs"))
      if (folder.is_string()) {
        const std::string path =
            absolutePath(folder.get<std::string>(), folderOfFile(), surroundings());
        add(nameForPath(path, all), Json{{"directories", {path}}});
      }
    for (const Json &entry : listIn(*document, "sources")) {
      if (!entry.is_object()) continue;
      const Json *const config = edit::find(entry, {"config"});
      SourceConfiguration &source =
          add(textIn(entry, "name", ""),
              config != nullptr && config->is_object() ? *config : Json::object());
      source.plugin = textIn(entry, "plugin", source.plugin);
      const Json *const enabled = edit::find(entry, {"enabled"});
      source.enabled = enabled == nullptr || *enabled != Json(false);
    }
    return all;
  }
  static std::string textIn(const Json &entry, const char *key, const std::string &otherwise) {
    const Json *const text = edit::find(entry, {key});
    return text != nullptr && text->is_string() ? text->get<std::string>() : otherwise;
  }

  // Returns sources with the names that a new one must not have, for nameForPath(). The environment
  // may override the sources of the file, so the names of both are taken.
  std::vector<SourceConfiguration> takenNames(const Json &document) const {
    std::vector<SourceConfiguration> all = known_.configuration.sources;
    for (const auto *const list : {&known_.configuration.tools, &known_.configuration.observers,
                                   &known_.configuration.httpHandlers})
      for (const PluginEntry &plugin : *list) all.emplace_back().name = plugin.name;
    for (const Json &source : listIn(document, "sources"))
      all.emplace_back().name = textIn(source, "name", "");
    return all;
  }
  // Describes the source or plugin that has the name; empty if the name is free.
  std::string holderOf(const std::string &name, const Json &document) const {
    for (const SourceConfiguration &source : takenNames(document))
      if (source.name == name) {
        const std::string where = originInWords(source.config);
        return where.empty() ? "another entry" : where;
      }
    return {};
  }

  Surroundings surroundings() const {
    Surroundings known;
    if (!own_.home.empty()) known.variables["HOME"] = own_.home;
    return known;
  }
  std::string folderOfFile() const { return own_.file.substr(0, own_.file.rfind('/')); }

  // Changes the file and returns true. If that fails, prints the reason and `byHand`, which says
  // what to write, and returns false.
  bool change(edit::Change wanted, const std::string &byHand) const {
    const Result<std::string> text = edit::textOf(own_.file);
    const edit::Format format = text ? formatOf(*text) : edit::Format::Yaml;
    edit::FileChange file{own_.file, format, std::move(wanted), FileReaders::Everybody,
                          format == edit::Format::Json ? initialJson : initialYaml};
    const Result<edit::FileChanged> done = edit::changeFile(file);
    if (done) return true;
    printShown(stderr, "skillhost: %s\nNothing was written. %s\n", done.failure().message.c_str(),
               byHand.c_str());
    return false;
  }

  NewSource trySource(const Json &entry) const {
    return tryNewSource(entry, own_.triesSource, known_.configuration, executable_);
  }

  // Prints that `what` was removed. Returns 1, with the reason, if the configuration has become
  // invalid by that.
  int reportRemoved(const std::string &what) const {
    printShown(stdout, "removed %s from %s\n", what.c_str(), own_.file.c_str());
    if (!known_.problems.empty()) return 0; // already reported
    CommandLineSettings commandLine;
    commandLine.file = own_.file;
    commandLine.resolveReferences = false;
    Surroundings surroundings = Surroundings::ofThisProcess();
    surroundings.featureTools = toolsOf(builtForHosts().filters);
    const Result<LoadedConfiguration> read = readConfiguration(commandLine, surroundings);
    return read ? 0 : fail("no server starts now: " + read.failure().message);
  }

  int removeSource(const std::string &word) {
    const Result<Json> document = read();
    if (!document) return fail(document.failure().message);
    const Json &list = listIn(*document, "sources");
    if (const std::size_t index = indexOf(list, word); index < list.size()) {
      if (!change({{"sources", std::to_string(index)}, std::nullopt},
                  "Take the entry " + word + " out by hand."))
        return 1;
      return reportRemoved(word);
    }
    // `word` may be a folder of skills_dirs, by its path or by the name of its source.
    std::string folder = absolutePath(word, own_.workingDirectory, surroundings());
    const Result<std::vector<SourceConfiguration>> known = knownSources();
    if (!known) return fail(known.failure().message);
    for (const SourceConfiguration &source : *known)
      if (source.name == word && source.plugin == "filesystem")
        folder = originInWords(source.config);
    const Json &folders = listIn(*document, "skills_dirs");
    for (std::size_t i = 0; i < folders.size(); ++i)
      if (folders[i].is_string() &&
          absolutePath(folders[i].get<std::string>(), folderOfFile(), surroundings()) == folder) {
        if (!change({{"skills_dirs", std::to_string(i)}, std::nullopt},
                    "Take the folder out of skills_dirs by hand."))
          return 1;
        return reportRemoved(folder);
      }
    std::string names;
    for (const Json &source : list)
      if (source.is_object()) names += (names.empty() ? "" : ", ") + textIn(source, "name", "?");
    return fail("no source in " + own_.file + " is named \"" + word + "\"; there " +
                (names.empty() ? "is none" : "are " + names) +
                (std::any_of(known->begin(), known->end(),
                             [](const auto &one) { return one.key == "usual_folders"; })
                     ? "; usual_folders: false in it stops serving the usual folders"
                     : ""));
  }

  // Returns true if the ref can be changed; otherwise prints the reason.
  bool mayChangeRef(const std::string &name, const std::string &ref) const {
    const Result<Json> document = read();
    if (!document) {
      fail(document.failure().message);
      return false;
    }
    const Json &list = listIn(*document, "sources");
    const std::size_t index = indexOf(list, name);
    const Json *url = index < list.size() ? edit::find(list[index], {"config", "url"}) : nullptr;
    if (url != nullptr && !ref.empty()) return true;
    fail(name + '@' + ref + ": write NAME@REF with the name of a repository in " + own_.file +
         " and a branch, a tag or a commit");
    return false;
  }

  // Writes the ref into the file and returns true; otherwise prints the reason.
  bool changeRef(const std::string &name, const std::string &ref) const {
    const Result<Json> document = read();
    const Result<std::string> text = settings::writtenLiterally(ref);
    if (!document || !text) {
      fail(document ? text.failure().message : document.failure().message);
      return false;
    }
    const std::size_t index = indexOf(listIn(*document, "sources"), name);
    return change({{"sources", std::to_string(index), "config", "ref"}, Json(*text)},
                  "Write ref: " + ref + " into the config of " + name + ".");
  }

  const OwnSourcesInvocation &own_;
  const KnownConfiguration &known_;
  const std::string &executable_;
};

int runOwnSources(const ParsedArguments &arguments, const Surroundings &surroundings) {
  using Action = OwnSourcesInvocation::Action;
  const Result<OwnSourcesInvocation> own = ownSourcesInvocation(arguments, surroundings);
  if (!own) return programs::refuse(own.failure());
  ConfigurationNeeds needs;
  needs.log = LogLevel::Error;
  std::error_code unknown;
  const bool isThere = std::filesystem::exists(own->file, unknown);
  needs.mayFail = isThere && (own->action == Action::List || own->action == Action::Remove);
  needs.noFile = !isThere && own->action == Action::Add; // adding the first source makes it
  // Only `update` asks the sources. For the other commands, a token may be set in another shell.
  needs.resolveReferences = own->action == Action::Update;
  needs.checkNames = false;
  const Result<KnownConfiguration> known = knownConfiguration(arguments, surroundings, needs);
  if (!known) return programs::refuse(known.failure());
  const CommandLog log(*known, surroundings);
  OwnSources sources(*own, *known, surroundings.executable);
  switch (own->action) {
  case Action::Add:
    return sources.add();
  case Action::Remove:
    return sources.remove();
  case Action::Update:
    return sources.update();
  case Action::List:
    break;
  }
  return sources.list();
}

} // namespace

CatalogueCommand ownSourcesCommand() { return {ownSourcesDescriptions(), runOwnSources}; }

} // namespace skillhost::app
