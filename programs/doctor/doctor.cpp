// SPDX-License-Identifier: Apache-2.0
#include "doctor.hpp"

#include "app/plugin_isolation.hpp"
#include "catalogue_command.hpp"
#include "ground/shown.hpp"
#include "json_output.hpp"
#include "known_configuration.hpp"
#include "program.hpp"
#include "version_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>

namespace skillhost::app {
namespace {

constexpr const char *names[] = {"ok", "warning", "wrong"};
const char *nameOf(Health health) { return names[static_cast<std::size_t>(health)]; }

void examineConfiguration(const KnownConfiguration &known, Remarks &remarks) {
  std::istringstream problems(known.problems);
  for (std::string line; std::getline(problems, line);)
    remarks.push_back({Health::Wrong, "configuration", line,
                       "`skillhost --example-config` shows every key as it is written"});
  for (const std::string &warning : known.warnings)
    remarks.push_back({Health::Warning, "configuration", warning, ""});
  if (!known.problems.empty()) return;
  remarks.push_back(
      {Health::Good, "configuration", known.file.empty() ? "no file" : "read " + known.file, ""});
  for (const std::string &notice : known.notices)
    remarks.push_back({Health::Good, "configuration", notice, ""});
}

void examineKernel(const std::optional<KernelFacts> &kernel, const std::string &whyNoRunner,
                   Remarks &remarks) {
  if (!kernel) {
    remarks.push_back({Health::Warning, "plugins",
                       "no plugin from elsewhere can be used: " + std::string(noIsolation), ""});
    return;
  }
  // Without a runner, the kernel's features are useless.
  if (!whyNoRunner.empty()) {
    remarks.push_back({Health::Wrong, "plugins", whyNoRunner, ""});
    return;
  }
  const KernelFacts &facts = *kernel;
  remarks.push_back({facts.confines ? Health::Good : Health::Warning, "kernel",
                     "plugins from elsewhere are confined by: " + facts.confinement,
                     facts.confines
                         ? ""
                         : "the missing mechanisms do not protect this machine from them: Landlock "
                           "needs Linux 5.13 and its name in the kernel's lsm= list; seccomp needs "
                           "a container that allows it"});
  // A service runs in another cgroup than this command.
  remarks.push_back({Health::Good, "cgroup",
                     facts.cgroup.empty()
                         ? "started from here, the memory of a plugin's process is limited by its "
                           "address space: " +
                               facts.whyNoCgroup
                         : "started from here, the memory of a plugin's process is limited by a "
                           "cgroup in " +
                               facts.cgroup,
                     ""});
  if (!facts.canLimitHosts)
    remarks.push_back({Health::Warning, "kernel",
                       "no plugin can be restricted to a list of hosts, so a plugin whose network "
                       "is a list does not start",
                       "use Linux 5.14 or newer, and a container that allows seccomp"});
  if (!facts.canWatchProcesses)
    remarks.push_back(
        {Health::Warning, "kernel", "the kernel has no pidfd_open",
         "the server notices late that the process of a plugin has ended: use Linux 5.3 or newer"});
}

void print(const Remarks &remarks) {
  std::size_t width = 0;
  for (const Remark &one : remarks) width = std::max(width, shownLine(one.about).size());
  for (const Remark &one : remarks) {
    printShown(stdout, "%-7s  %-*s  %s\n", nameOf(one.health), static_cast<int>(width),
               shownLine(one.about).c_str(), shownLine(one.text).c_str());
    if (!one.advice.empty())
      printShown(stdout, "         %-*s  > %s\n", static_cast<int>(width), "",
                 shownLine(one.advice).c_str());
  }
}

void printRemarks(const Remarks &remarks, bool good) {
  Json all = Json::array();
  for (const Remark &one : remarks) {
    Json row{{"state", nameOf(one.health)}, {"about", one.about}, {"text", one.text}};
    if (!one.advice.empty()) row["advice"] = one.advice;
    all.push_back(std::move(row));
  }
  printJson(Json{{"ok", good}, {"remarks", std::move(all)}});
}

// Prints every remark. Returns 1 if one is Wrong.
int examine(const ParsedArguments &arguments, const Surroundings &surroundings) {
  const Result<KnownConfiguration> known =
      knownConfiguration(arguments, surroundings, {.log = LogLevel::Error, .mayFail = true});
  if (!known) return programs::refuse(known.failure());
  const CommandLog log(*known, surroundings);
  Remarks remarks;
  remarks.push_back(
      {Health::Good, "program", versionText(surroundings) + ", " + surroundings.executable, ""});
  const auto isolation = pluginIsolation(surroundings.executable);
  std::optional<KernelFacts> facts;
  if (isolation) facts = isolation->kernel(); // before there are threads
  examineConfiguration(*known, remarks);
  if (known->problems.empty())
    examineSources(known->configuration, surroundings.executable, remarks);
  examineKernel(facts, isolation ? isolation->whyNoRunner() : std::string(), remarks);
  examineClients(surroundings, known->problems, remarks);
  const auto count = [&](Health health) {
    return static_cast<std::size_t>(std::count_if(
        remarks.begin(), remarks.end(), [&](const Remark &one) { return one.health == health; }));
  };
  const std::size_t wrong = count(Health::Wrong), warnings = count(Health::Warning);
  if (arguments.has("--json")) {
    printRemarks(remarks, wrong == 0);
  } else {
    print(remarks);
    printShown(stdout, "%zu wrong, %zu warning%s\n", wrong, warnings, warnings == 1 ? "" : "s");
  }
  return wrong == 0 ? 0 : 1;
}

CommandDescription doctorDescription() {
  CommandDescription command{
      "doctor",
      "Check the configuration, the sources, the kernel and the clients, and print what is wrong "
      "and what to do; exit code 1 if something is wrong.",
      true,
      {helpOption(), jsonOption()}};
  command.position = 800;
  return command;
}

} // namespace

CatalogueCommand doctorCommand() { return {{doctorDescription()}, examine}; }

} // namespace skillhost::app
