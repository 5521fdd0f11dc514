// SPDX-License-Identifier: Apache-2.0
#include "doctor.hpp"

#include "access.hpp"
#include "beneath/hidden_skills.hpp"
#include "ground/append_file.hpp"
#include "ground/await.hpp"
#include "ground/counted.hpp"
#include "ground/text.hpp"
#include "host.hpp"
#include "links.hpp"
#include "plugin_calls/library.hpp"
#include "skill_files.hpp"
#include "source_warnings.hpp"
#include "started_plugins.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace skillhost::app {
namespace {

namespace fs = std::filesystem;

bool mentions(std::string_view text, std::span<const std::string_view> words) {
  const std::string lower = asciiLowered(text);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

bool isOf(const SourceConfiguration &source, const std::string &plugin) {
  return source.plugin == plugin || source.plugin == "org.skillhost." + plugin;
}
bool isOfFolders(const SourceConfiguration &source) { return isOf(source, "filesystem"); }

// Returns one line of advice that is likely to help, chosen by the plugin's message.
std::string adviceFor(const std::string &failure, const SourceConfiguration &source) {
  if (isOfFolders(source))
    return "the server does not start without this folder, unless keep_going is true: create it, "
           "name another folder that this user may read, or write optional: true if it may be "
           "missing";
  if (failure.find(" sources[") != std::string::npos) // a position in the configuration
    return "fix that setting; the server does not start with it, unless keep_going is true";
  constexpr std::array<std::string_view, 8> refused{"401",    "403",   "authenticat", "credential",
                                                    "denied", "token", "unauthor",    "forbidden"};
  constexpr std::array<std::string_view, 7> away{"resolve", "connect", "timed out",  "timeout",
                                                 "unreach", "network", "certificate"};
  if (failure.find("docker-credential-") != std::string::npos)
    return "make the helper give a login to the user that runs the server: put it on the PATH of "
           "the "
           "server, sign in with it, and name it in docker_helpers";
  if (mentions(failure, refused))
    return "give the source a token that may read the repository, config: {token: env:NAME}, and "
           "set NAME where the server starts; without a token, a private repository looks as if it "
           "did not exist";
  if (mentions(failure, away))
    return "make sure that this machine reaches the address (proxy: https_proxy; authority: "
           "config: {ca_file: …}); meanwhile the server serves what it fetched last";
  return "fix this, then run `skillhost source refresh " + source.name + "`";
}

// Reports problems of folders that the source's failure does not mention. Returns true if every
// folder was reported, so that "no skill" needs no report.
bool examineFolders(const SourceConfiguration &source, const std::string &failure,
                    Remarks &remarks) {
  const auto folders = source.config.find("directories");
  if (!isOfFolders(source) || folders == source.config.end() || !folders->is_array()) return false;
  std::size_t reported = 0;
  for (const Json &one : *folders) {
    if (!one.is_string()) continue;
    const std::string path = one.get<std::string>();
    std::error_code error;
    if (path.starts_with('~')) continue; // the plugin expands it
    if (failure.find(path) != std::string::npos) continue;
    if (!fs::exists(path, error)) {
      ++reported;
      const auto may = source.config.find("optional");
      const bool optional = may != source.config.end() && *may == Json(true);
      remarks.push_back(
          {optional ? Health::Good : Health::Wrong, "source " + source.name,
           path + (optional ? " is not there yet, as it may be (optional: true)" : " is not there"),
           optional ? "" : adviceFor("", source)});
    } else if (!fs::is_directory(path, error) || ::access(path.c_str(), R_OK | X_OK) != 0) {
      ++reported;
      remarks.push_back(
          {Health::Wrong, "source " + source.name,
           path + (fs::is_directory(path, error) ? " may not be read" : " is no folder"),
           "name a folder that this user may read and enter"});
    }
  }
  return reported != 0 && reported == folders->size();
}

void examineFiles(const Configuration &configuration, Remarks &remarks) {
  if (configuration.transport != Transport::Http) return;
  for (const auto &[key, file] :
       {std::pair{"http.tls_certificate", configuration.http.tlsCertificate},
        std::pair{"http.tls_key", configuration.http.tlsKey},
        std::pair{"http.tls_client_ca", configuration.http.tlsClientCa}})
    if (file && ::access(file->c_str(), R_OK) != 0)
      remarks.push_back({Health::Wrong, key, *file + " cannot be read",
                         "name a PEM file that this user may read"});
}

// Examines a store without a skill that can be served.
void examineStore(const std::string &about, const SourceConfiguration &configured,
                  Remarks &remarks) {
  const auto folder = configured.config.find("directory");
  std::error_code error;
  const bool isNamed = folder != configured.config.end() && folder->is_string();
  const std::string path = isNamed ? folder->get<std::string>() : std::string{};
  if (path.starts_with('/') && !fs::exists(path, error))
    remarks.push_back({Health::Warning, about, path + " is not there, and counts as empty",
                       "name the folder of the store, or put a skill there: skillhost skill save"});
  else
    remarks.push_back({Health::Warning, about, "is a store without a skill that is served",
                       "skillhost skill save puts one there; skillhost skill verify says what is "
                       "wrong with those that are there"});
}

void examineStatus(const SourceStatus &source, const SourceConfiguration &configured,
                   bool isReported, std::size_t held, Remarks &remarks) {
  const std::string about = "source " + source.name;
  const std::string count = counted(source.skills, "skill");
  if (!source.failure.empty())
    remarks.push_back(
        {Health::Wrong, about,
         (source.revision.empty() ? "" : "serves what it knew, " + count + ": ") + source.failure,
         adviceFor(source.failure, configured)});
  else if (source.skills == 0 && held != 0)
    remarks.push_back({Health::Warning, about,
                       counted(held, "skill") + ", all held back for review",
                       "`skillhost review list` says why; review approve has one served"});
  else if (source.skills == 0 && isReported)
    return;
  else if (source.skills == 0 && isOf(configured, "store"))
    examineStore(about, configured, remarks);
  else if (source.skills == 0)
    remarks.push_back({Health::Warning, about, "answers, and has no skill",
                       "a skill is a folder with a SKILL.md; folders whose names begin with a dot "
                       "are looked into with hidden: true; `skillhost validate` says what is wrong "
                       "with others"});
  else
    remarks.push_back({Health::Good, about,
                       held == 0 ? count
                                 : count + ", and " + std::to_string(held) +
                                       " held back for review: `skillhost review list`",
                       ""});
}

// A source warns of skills that it ignores because of their folders' names.
void examineHidden(const SourceWarnings &warnings, const std::string &source, Remarks &remarks) {
  for (const std::string &warning : warnings.of(source)) {
    if (warning.find(beneath::belowHiddenFolders) == std::string::npos) continue;
    const std::size_t advice = warning.find(": look into");
    remarks.push_back({Health::Warning, "source " + source, warning.substr(0, advice),
                       advice == std::string::npos ? "" : warning.substr(advice + 2)});
  }
}

// A source does not warn of ignored folders inside a skill, so report them here.
void examineInsideSkills(const SourceConfiguration &source, Remarks &remarks) {
  const auto folders = source.config.find("directories"), hidden = source.config.find("hidden");
  if (folders == source.config.end() || !folders->is_array() ||
      (hidden != source.config.end() && *hidden == Json(true)))
    return;
  for (const Json &one : *folders) {
    std::error_code error;
    if (!one.is_string() || !fs::is_directory(one.get<std::string>(), error)) continue;
    const std::string path = one.get<std::string>();
    const SkillFiles found = findSkillFiles(path, HiddenFolders::PassOver);
    std::size_t skills = 0;
    std::string first;
    for (const auto &[document, inside] : found.hiddenFolders)
      if (!inside.empty() && skills++ == 0) first = inside.front();
    if (skills != 0)
      remarks.push_back({Health::Warning, "source " + source.name,
                         counted(skills, "skill") + " in " + path +
                             (skills == 1 ? " has a folder" : " have folders") +
                             " with a name that begins with a dot, such as " + first +
                             ": no review or digest has what is in there",
                         "`skillhost validate " + path + "` looks into it"});
  }
}

// Throws std::system_error if the audit log cannot be written, because a server does not start
// then.
void examineAuditLog(const FeatureSettings &settings) {
  constexpr std::string_view key = "access.audit_log";
  if (!FeatureSettings::isDeclared(key)) return;
  const auto file = settings.textIfAny(key);
  if (!file || openForAppending(*file)) return;
  const int why = errno;
  throw std::system_error(why, std::generic_category(), "the audit log " + *file);
}

// Checks whether the replicas can share their state.
void examineState(const Configuration &configuration, Host &host, Remarks &remarks) {
  if (!configuration.state.isShared(configuration.transport)) return;
  try {
    const auto shared = host.sharedStore();
    if (!shared) throw std::runtime_error(shared.failure().message);
    const Status reached = (*shared)->check(Host::patienceForEngine);
    remarks.push_back(
        reached ? Remark{Health::Good, "state", configuration.state.plugin + " can do its work", ""}
                : Remark{Health::Wrong, "state", reached.failure().message,
                         "replicas would share nothing: check state.config, and that this machine "
                         "reaches the engine"});
  } catch (const std::exception &why) {
    remarks.push_back({Health::Wrong, "state", why.what(), "the server would not start"});
  }
}

std::size_t withheldOf(const std::string &source, const std::vector<WithheldSkill> &all) {
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const WithheldSkill &skill) { return skill.source == source; }));
}

} // namespace

void examineSources(const Configuration &configuration, const std::string &executable,
                    Remarks &remarks) {
  examineFiles(configuration, remarks);
  if (configuration.sources.empty())
    remarks.push_back({Health::Warning, "sources", "there is none",
                       "`skillhost add OWNER/REPO`, a URL or a folder; or --skills-dir DIR"});
  try {
    // Report every faulty source, and not only the first.
    const SourceWarnings warnings;
    Configuration whole = configuration;
    whole.keepGoing = true;
    Host host(whole, executable, builtForHosts(), Host::Role::Inspector);
    host.waitUntilReady(true);
    awaitDone([&](const auto &reloaded) { host.library().reload(reloaded); });
    const std::shared_ptr<const Catalogue> catalogue = host.library().catalogue();
    const std::vector<WithheldSkill> withheld = host.withheld();
    for (const SourceStatus &source : catalogue->sources())
      for (const SourceConfiguration &one : configuration.sources)
        if (one.name == source.name) {
          const bool isReported = examineFolders(one, source.failure, remarks);
          if (isOfFolders(one)) examineLinks(configuration, one, remarks);
          if (isOfFolders(one)) examineInsideSkills(one, remarks);
          examineStatus(source, one, isReported, withheldOf(source.name, withheld), remarks);
          examineHidden(warnings, source.name, remarks);
        }
    for (const PluginDescription &plugin : describeStarted(host.plugins())) {
      const bool bad = plugin.state == PluginState::Failed || plugin.state == PluginState::Broken ||
                       plugin.state == PluginState::CrashedAtScan ||
                       plugin.state == PluginState::Incompatible;
      const auto isOfInstance = [&](const SourceConfiguration &source) {
        return source.name == plugin.instance;
      };
      if (std::any_of(configuration.sources.begin(), configuration.sources.end(), isOfInstance))
        continue;
      // A file that no instance names is harmless.
      if (bad)
        remarks.push_back({plugin.instance.empty() ? Health::Warning : Health::Wrong,
                           "plugin " + (plugin.instance.empty() ? plugin.file : plugin.instance),
                           std::string(name(plugin.state)) + ": " + plugin.reason,
                           "`skillhost plugins` lists all; `skillhost check FILE` tries one"});
      else if (plugin.state == PluginState::Degraded)
        // None of the paths of such an HTTP handler is served.
        remarks.push_back({plugin.kind == httpKind ? Health::Wrong : Health::Warning,
                           "plugin " + plugin.instance, "degraded: " + plugin.reason, ""});
    }
    examineState(configuration, host, remarks);
    const NameProblems categories =
        checkCategories(configuration, *host.library().catalogue(), !withheld.empty());
    for (const std::string &problem : categories.problems)
      remarks.push_back({Health::Wrong, "rules", problem, "the rule hides no skill"});
    for (const std::string &warning : categories.warnings)
      remarks.push_back({Health::Warning, "rules", warning, ""});
    for (const std::string &warning :
         checkNamedSkills(configuration, host.library().listed()).warnings)
      remarks.push_back({Health::Warning, "rules", warning, ""});
    examineAuditLog(configuration.features);
    if (configuration.auth.plugin == "none") return;
    examineAudience(configuration, remarks);
    host.makeAccessLayer();
    remarks.push_back({Health::Good, "auth", configuration.auth.plugin + " can do its work", ""});
  } catch (const ProviderRefused &why) {
    remarks.push_back(
        {Health::Wrong, "auth", why.what(),
         "nobody could sign in: check auth.config, and that this machine reaches the provider"});
  } catch (const std::exception &why) {
    remarks.push_back({Health::Wrong, "start", why.what(), "the server would not start"});
  }
}

} // namespace skillhost::app
