// SPDX-License-Identifier: Apache-2.0
#include "generate.hpp"

#include "base/log.hpp"
#include "conversation/open_server.hpp"
#include "generate/introspect.hpp"
#include "generate/skill_pages.hpp"
#include "generated_folder.hpp"
#include "ground/shown.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace skillhost {
namespace {

// The signal handler writes to this descriptor.
volatile std::sig_atomic_t interruptedAt = -1;

void noteInterruption(int) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t done = ::write(interruptedAt, &one, sizeof one);
}

// During its lifetime, a terminating signal makes a descriptor readable instead.
class Interruption {
public:
  Interruption() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) throw std::runtime_error("eventfd: no descriptor left");
    interruptedAt = descriptor_;
    handle(noteInterruption);
    ::signal(SIGPIPE, SIG_IGN);
  }
  ~Interruption() {
    handle(SIG_DFL);
    ::close(descriptor_);
  }
  Interruption(const Interruption &) = delete;
  Interruption &operator=(const Interruption &) = delete;
  int descriptor() const noexcept { return descriptor_; }

private:
  static void handle(void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) ::sigaction(number, &action, nullptr);
  }
  const int descriptor_;
};

ServerDescription describeServer(const GenerateSettings &settings) {
  const Interruption interruption;
  ConnectSettings remote = settings.connect;
  remote.patience = std::min<std::chrono::milliseconds>(remote.patience, settings.timeout);
  remote.greeting = settings.timeout; // waits for the server's own answer
  const OpenServer open = settings.command.empty()
                              ? remoteServer(remote, interruption.descriptor())
                              : programServer(settings.command, interruption.descriptor());
  Result<ServerDescription> server =
      introspect(open, Deadline::after(settings.timeout), settings.connect.version);
  if (server) return *std::move(server);
  std::string why = server.failure().message;
  if (server.failure().fault == Fault::ToolTimeout)
    why += " (all of it may take " + std::to_string(settings.timeout.count()) + " s; --timeout)";
  throw std::runtime_error(why);
}

void printAsJson(const Json &json) {
  printJsonText(stdout, json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void printPages(const GenerateSettings &settings, const std::vector<SkillPage> &pages) {
  if (settings.json) {
    Json files = Json::array();
    for (const SkillPage &page : pages)
      files.push_back({{"path", page.path}, {"text", page.bytes}});
    return printAsJson({{"name", settings.name}, {"files", std::move(files)}});
  }
  for (const SkillPage &page : pages)
    printShown(stdout, "==> %s/%s (%zu bytes)\n%s\n", settings.name.c_str(), page.path.c_str(),
               page.bytes.size(), page.bytes.c_str());
}

// The target of the pages, and whether anything changed there.
struct GenerateOutcome {
  std::string where;
  bool changed = false;
  std::uint64_t version = 0; // in a store
};

GenerateOutcome put(const GenerateSettings &settings, std::vector<SkillPage> pages) {
  if (!settings.output.empty()) {
    const FolderChange change = writeGeneratedFolder(
        settings.output, pages, settings.force ? Overwrite::Anything : Overwrite::OnlyGenerated);
    return {settings.output, change != FolderChange::None};
  }
  SkillToSave skill;
  skill.name = settings.name;
  // Arguments and queries may hold secrets.
  skill.origin =
      "generated from " + (settings.command.empty()
                               ? settings.connect.url.substr(0, settings.connect.url.find('?'))
                               : settings.command.front());
  for (SkillPage &page : pages)
    skill.content.files.push_back({std::move(page.path), std::move(page.bytes)});
  const store::Saved saved = saveIntoStore(settings.store, std::move(skill));
  return {settings.store.directory, saved.changed, saved.version};
}

void sayOutcome(const GenerateSettings &settings, const ServerDescription &server,
                const GenerateOutcome &outcome) {
  if (settings.json) {
    Json report{{"name", settings.name},
                {"changed", outcome.changed},
                {"where", outcome.where},
                {"tools", server.tools.size()},
                {"resources", server.resources.size()},
                {"templates", server.templates.size()},
                {"prompts", server.prompts.size()},
                {"protocol", server.protocol}};
    if (outcome.version != 0) report["version"] = outcome.version;
    return printAsJson(report);
  }
  printShown(stdout, "%s: %s %s", settings.name.c_str(),
             outcome.changed ? "written to" : "unchanged in", outcome.where.c_str());
  if (outcome.version != 0)
    printShown(stdout, ", version %llu", static_cast<unsigned long long>(outcome.version));
  printShown(stdout, "; tools: %zu, resources: %zu, templates: %zu, prompts: %zu\n",
             server.tools.size(), server.resources.size(), server.templates.size(),
             server.prompts.size());
}

} // namespace

int generateSkill(const GenerateSettings &settings) try {
  const ServerDescription server = describeServer(settings);
  for (const std::string &remark : server.remarks) log::warning("generate", remark);
  Result<std::vector<SkillPage>> pages = writeSkillPages(settings.name, server);
  if (!pages) throw std::runtime_error(pages.failure().message);
  if (settings.dryRun)
    printPages(settings, *pages);
  else
    sayOutcome(settings, server, put(settings, *std::move(pages)));
  return 0;
} catch (const std::exception &why) {
  printShown(stderr, "skillhost: generate: %s\n", why.what());
  return 1;
}

} // namespace skillhost
