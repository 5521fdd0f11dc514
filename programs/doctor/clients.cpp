// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.hpp"
#include "client.hpp"
#include "doctor.hpp"
#include "file_change.hpp"
#include "ground/child_process.hpp"
#include "plugin_directories.hpp"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <sstream>
#include <utility>

namespace skillhost::app {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds patience{10};

// Returns the file that a shell would start; empty: none.
std::string programOf(const std::string &command, const Surroundings &surroundings) {
  const auto runs = [](const std::string &path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  };
  if (command.find('/') != std::string::npos) return runs(command) ? command : std::string{};
  std::istringstream folders(surroundings.variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && runs(folder + '/' + command)) return folder + '/' + command;
  return {};
}

bool isThisProgram(const std::string &path, const Surroundings &surroundings) {
  std::error_code error;
  return fs::equivalent(path, surroundings.executable, error);
}

// Only call it for this program.
bool saysItsVersion(const std::string &path) {
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  Result<ChildProcess> child = ChildProcess::start(
      {{path, "--version"}, {nothing.number(), nothing.number(), nothing.number()}});
  if (!child) return false;
  if (!child->endsWithin(patience) && child->ended() >= 0) child->kill();
  return child->reap() == 0;
}

// Returns the first required folder of skills that is missing; empty if none would make a start
// fail.
std::string missingFolder(const Configuration &configuration) {
  if (configuration.keepGoing) return {};
  for (const SourceConfiguration &source : configuration.sources) {
    const auto folders = source.config.find("directories");
    if (!source.enabled || source.plugin != "filesystem" || folders == source.config.end() ||
        !folders->is_array() || source.config.value("optional", Json(false)) == Json(true))
      continue;
    for (const Json &folder : *folders) {
      std::error_code unknown;
      if (!folder.is_string()) continue;
      const std::string &path = folder.get_ref<const std::string &>();
      if (path.starts_with('/') && !fs::exists(path, unknown)) return path;
    }
  }
  return {};
}

// Returns the *.so files of these places, which are files or folders.
std::set<std::string> pluginFilesIn(const std::vector<std::string> &places) {
  std::set<std::string> files;
  for (const std::string &place : places) {
    std::error_code error;
    if (!fs::is_directory(place, error)) {
      files.insert(fs::weakly_canonical(place, error).string());
      continue;
    }
    for (fs::directory_iterator at(place, error), end; !error && at != end; at.increment(error))
      if (at->path().extension() == ".so")
        files.insert(fs::weakly_canonical(at->path(), error).string());
  }
  return files;
}

// Returns the first plugin that the server needs and that is certainly missing; empty: none is.
// Only the names of files are compared: a client's entry may name a stranger's plugins.
std::string missingPlugin(const Configuration &configuration, const std::string &executable) {
  std::vector<std::string> named;
  for (const SourceConfiguration &one : configuration.sources)
    if (one.enabled) named.push_back(one.plugin);
  for (const auto *const list : {&configuration.tools, &configuration.observers})
    for (const PluginEntry &one : *list)
      if (one.enabled) named.push_back(one.plugin);
  if (configuration.search.plugin != "auto" && configuration.search.plugin != "none")
    named.push_back(configuration.search.plugin);
  const std::set<std::string> ours = pluginFilesIn(builtInPlugins(executable));
  std::vector<std::string> folders = configuration.plugins.directories;
  if (std::string installed = installedPluginDirectory(executable); !installed.empty())
    folders.push_back(std::move(installed));
  const std::set<std::string> all = pluginFilesIn(folders);
  // A file of another author may hold a plugin with any name.
  const bool haveOthers = !std::includes(ours.begin(), ours.end(), all.begin(), all.end());
  const auto isThere = [&](const std::string &plugin) {
    std::error_code unknown;
    if (plugin.find('/') != std::string::npos) return fs::exists(plugin, unknown);
    const std::string stem = plugin.substr(plugin.rfind('.') + 1);
    return haveOthers || std::any_of(ours.begin(), ours.end(),
                                     [&](const fs::path &file) { return file.stem() == stem; });
  };
  const auto missing = std::find_if_not(named.begin(), named.end(), isThere);
  return configuration.keepGoing || missing == named.end() ? std::string() : *missing;
}

// Says why a client cannot talk to what the arguments start; empty: it can.
std::string whyNoServer(const Invocation &started, const std::string &executable) {
  if (started.command == Invocation::Command::Print)
    return "which only prints a text with these arguments";
  if (started.command == Invocation::Command::Program)
    return started.program.command == "connect"
               ? ""
               : "but not as a server: " + started.program.command + " is another command";
  if (started.configuration.transport != Transport::Stdio)
    return "which then serves over HTTP, and not the client that starts it";
  if (const std::string missing = missingPlugin(started.configuration, executable);
      !missing.empty())
    return "which refuses: there is no plugin \"" + missing + '"';
  return {};
}

class Clients {
public:
  Clients(const Surroundings &surroundings, const std::string &problems, Remarks &remarks)
      : surroundings_(surroundings), problems_(problems), remarks_(remarks) {}

  void examine() {
    for (const Client &client : clients()) {
      const std::string user = userFileOf(client, surroundings_),
                        project = projectFileOf(client, surroundings_);
      std::error_code error;
      if (!user.empty() && fs::exists(user, error)) examineFile(client, user);
      // In the home folder, both are the same file.
      if (!project.empty() && fs::exists(project, error) && !fs::equivalent(user, project, error))
        examineFile(client, project);
    }
    if (!started_)
      remarks_.push_back(
          {Health::Warning, "clients", "none starts this program",
           "`skillhost client-config CLIENT --write`; " + std::string(clientChoices)});
  }

private:
  void examineFile(const Client &client, const std::string &file) {
    about_ = client.title;
    const Result<std::string> text = edit::textOf(file);
    const Result<Json> document = text ? edit::read(client.format, *text) : text.failure();
    if (!document) {
      const std::string &why = document.failure().message;
      // A position in the file follows the file's name without a blank.
      const bool isPlaced = !why.empty() && why.front() >= '0' && why.front() <= '9';
      remarks_.push_back({Health::Warning, about_,
                          (text ? file + (isPlaced ? ":" : ": ") : std::string{}) + why,
                          "the client cannot read it either: fix the file"});
      return;
    }
    std::vector<std::string> path = entryPath(client, *document, "");
    path.pop_back();
    const Json *servers = edit::find(*document, path);
    std::size_t others = 0;
    if (servers != nullptr && servers->is_object())
      for (const auto &one : servers->items())
        if (!examineEntry(file, one.key(), one.value())) ++others;
    if (others > 0)
      remarks_.push_back({Health::Good, about_,
                          file + ": " + std::to_string(others) +
                              (others == 1 ? " other server" : " other servers"),
                          ""});
  }

  // Returns false for another server's entry without faults.
  bool examineEntry(const std::string &file, const std::string &name, const Json &entry) {
    const StartedServer started = startedServer(entry);
    const std::string where = file + ": \"" + name + '"';
    if (started.words.empty()) {
      if (started.url.empty() || name != "skillhost") return false;
      remarks_.push_back({Health::Good, about_,
                          where + " is set to " + started.url + ", which doctor does not test",
                          ""});
      return started_ = true;
    }
    const std::string &command = started.words.front();
    const std::string program = programOf(command, surroundings_);
    const bool named = fs::path(command).filename() == "skillhost";
    if (program.empty()) {
      remarks_.push_back({named ? Health::Wrong : Health::Warning, about_,
                          where + " starts " + command + ", which is not there",
                          named
                              ? "`skillhost client-config` with --write names this program instead"
                              : "the client will say that this server failed"});
      return true;
    }
    if (!isThisProgram(program, surroundings_)) {
      if (!named) return false;
      remarks_.push_back({Health::Warning, about_, where + " starts another skillhost, " + program,
                          "doctor did not run that program; `skillhost client-config` with --write "
                          "names this one instead"});
      return true;
    }
    started_ = true;
    if (!saysItsVersion(program)) {
      remarks_.push_back({Health::Wrong, about_,
                          where + " starts " + command + ", which does not answer --version",
                          "run it by hand to see why"});
      return true;
    }
    if (!started.areWordsTexts) {
      remarks_.push_back({Health::Wrong, about_,
                          where + " starts this program, but its arguments are no list of texts",
                          "write \"args\": [\"--skills-dir\", \"/a/folder\"], or run `skillhost "
                          "client-config` again"});
      return true;
    }
    const std::vector<std::string> arguments(started.words.begin() + 1, started.words.end());
    Surroundings careful = surroundings_;
    careful.readsPipes = false; // a project's file may name something endless
    for (const auto &[variable, value] : started.variables) careful.variables[variable] = value;
    Result<Invocation> invocation = parseCommandLine(arguments, careful);
    if (invocation) addWarnings(where, invocation->warnings);
    if (invocation && !invocation->program.file.empty()) {
      const ProgramInvocation &foreign = invocation->program;
      remarks_.push_back({Health::Warning, about_,
                          where + " starts skillhost-" + foreign.name + " (" + foreign.file +
                              "), which is not a program of skillhost and was not run",
                          "remove the entry unless you trust that program"});
      return true;
    }
    if (invocation && invocation->command == Invocation::Command::Program)
      if (Status fits = checkArguments(arguments, careful); !fits)
        invocation = std::move(fits).failure();
    const std::string missing = invocation ? missingFolder(invocation->configuration) : "";
    if (!missing.empty())
      remarks_.push_back(
          {Health::Wrong, about_,
           where + " starts this program, which refuses: " + missing + " is not there",
           "create the folder, or run `skillhost client-config` again"});
    else if (const std::string why =
                 invocation ? whyNoServer(*invocation, surroundings_.executable) : std::string();
             !why.empty())
      remarks_.push_back(
          {Health::Wrong, about_, where + " starts this program, " + why,
           "mend the entry's arguments, or run `skillhost client-config` again; for a server over "
           "HTTP, `skillhost client-config --url`"});
    else if (invocation)
      remarks_.push_back({Health::Good, about_, where + " starts this program", ""});
    else if (invocation.failure().message == problems_)
      remarks_.push_back({Health::Warning, about_,
                          where + " starts this program, which refuses the same configuration",
                          "fix the configuration; the entry's env may also set a variable"});
    else
      remarks_.push_back(
          {Health::Wrong, about_,
           where + " starts this program, which refuses: " +
               invocation.failure().message.substr(0, invocation.failure().message.find('\n')),
           "follow the message, or run `skillhost client-config` again"});
    return true;
  }

  // Leaves out warnings that doctor has already reported for its own configuration, which may be
  // the same one.
  void addWarnings(const std::string &where, const std::vector<std::string> &warnings) {
    for (const std::string &warning : warnings)
      if (std::none_of(remarks_.begin(), remarks_.end(),
                       [&](const Remark &one) { return one.text == warning; }))
        remarks_.push_back({Health::Warning, about_, where + ": " + warning, ""});
  }

  const Surroundings &surroundings_;
  const std::string &problems_; // already reported
  Remarks &remarks_;
  std::string about_;
  bool started_ = false;
};

} // namespace

void examineClients(const Surroundings &surroundings, const std::string &problems,
                    Remarks &remarks) {
  Clients(surroundings, problems, remarks).examine();
}

} // namespace skillhost::app
