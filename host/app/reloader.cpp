// SPDX-License-Identifier: Apache-2.0
#include "reloader.hpp"

#include "base/log.hpp"
#include "base/service_notice.hpp"
#include "configuration/keys.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

namespace skillhost::app {
namespace {

// The keys that a running server applies, in addition to those of features that say so; see
// Host::reconfigure(). Folders of skills are sources once the configuration is read.
constexpr std::array<std::string_view, 12> applied{
    "sources",     "skills_dirs", "usual_folders",     "keep_going",
    "skill_rules", "strict",      "include_skills",    "exclude_skills",
    "log.level",   "log.format",  "access.visibility", "search.min_score"};

// Keys that decide whom the rules admit and what they allow. If one of them has changed, nothing is
// applied, because the new rules may be meant for the new values. The declarations of the keys of
// features say the same.
constexpr std::array<std::string_view, 6> decisive{"transport",           "auth.",
                                                   "access.read_scope",   "access.manage_scope",
                                                   "access.review_scope", "http.allow_anonymous"};

bool isApplied(const HostKey &key) {
  return std::find(applied.begin(), applied.end(), key.name) != applied.end() ||
         (key.declared != nullptr && key.declared->reload == settings::Reload::Applied);
}

bool isDecisive(const HostKey &key) {
  return std::any_of(decisive.begin(), decisive.end(),
                     [&](std::string_view name) { return key.name.starts_with(name); }) ||
         (key.declared != nullptr && key.declared->reload == settings::Reload::Refused);
}

std::string placeOf(const HostKey &key, const Configuration &running, const Configuration &read) {
  // This finds the place of the key itself or of one below it: "sources[0].url" is below "sources",
  // and "skills_lock" is not below "skills".
  for (const Configuration *const one : {&read, &running})
    for (auto place = one->places.lower_bound(std::string(key.name));
         place != one->places.end() && place->first.starts_with(key.name); ++place) {
      const std::string_view rest = std::string_view(place->first).substr(key.name.size());
      if (rest.empty() || rest.front() == '.' || rest.front() == '[') return place->second;
    }
  return {};
}

// Changed keys that need a restart, such as "limits.max_depth (skillhost.yaml:3:5)".
struct Differing {
  std::vector<std::string> decisive, others;
};
Differing differing(const Configuration &running, const Configuration &read) {
  Differing keys;
  for (const HostKey &key : hostKeys()) {
    if (isApplied(key) || key.toJson(running) == key.toJson(read)) continue;
    const std::string place = placeOf(key, running, read);
    (isDecisive(key) ? keys.decisive : keys.others)
        .push_back(std::string(key.name) + (place.empty() ? "" : " (" + place + ")"));
  }
  return keys;
}

// Fails if the file is not regular: a pipe has been read already, and reading it again would block.
Status regular(const std::string &file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::is_regular_file(status)) return Done{};
  return {Fault::InvalidInput,
          file + (std::filesystem::exists(status) ? ": is no regular file" : ": is not there")};
}

bool setsAnything(const Configuration &configuration, const std::string &file) {
  return std::any_of(configuration.places.begin(), configuration.places.end(),
                     [&](const auto &place) { return place.second.starts_with(file + ':'); });
}

// Keys of features whose values differ in sources of both configurations, with the names of these
// sources.
using ChangedKeys = std::map<std::string, std::vector<std::string>>;
ChangedKeys changedKeys(const Configuration &running, const Configuration &read) {
  ChangedKeys changed;
  for (const SourceKey &key : sourceKeys())
    for (const SourceConfiguration &one : read.sources)
      for (const SourceConfiguration &before : running.sources)
        if (key.declared != nullptr && one.name == before.name &&
            key.toJson(one) != key.toJson(before))
          changed[std::string(key.name)].push_back(one.name);
  return changed;
}

void append(std::string &text, const std::string &words) {
  if (!text.empty()) text += "; ";
  text += words;
}

std::string listOf(const std::vector<std::string> &names) {
  std::string list;
  for (const std::string &name : names) (list += list.empty() ? "" : ", ") += name;
  return list;
}

void append(std::string &text, const char *what, const std::vector<std::string> &names) {
  if (names.empty()) return;
  append(text, std::string(what) + (names.size() == 1 ? " source " : " sources ") + listOf(names));
}

std::string textOf(const Host::Reconfigured &done, const ChangedKeys &keys, bool otherLog) {
  std::string text;
  append(text, "added", done.added);
  append(text, "removed", done.removed);
  append(text, "changed", done.changed);
  if (done.order) append(text, "the order of the sources changed");
  if (done.rules) append(text, "access.visibility changed");
  if (!done.skillRules.empty())
    append(text, listOf(done.skillRules) + ": the rules of which skills are served changed");
  if (done.minScore) append(text, "search.min_score changed");
  for (const auto &[key, sources] : keys) append(text, ("changed " + key + " of").c_str(), sources);
  if (otherLog) append(text, "the level or format of the log changed");
  return text.empty() ? "no source and no rule differs" : text;
}

} // namespace

Reloader::Reloader(Host &host, Configuration running, std::string file, Read read, Applied applied)
    : host_(host), running_(std::move(running)), file_(std::move(file)), read_(std::move(read)),
      applied_(std::move(applied)), thread_([this] {
        pthread_setname_np(pthread_self(), "reload");
        work();
      }) {}

Reloader::~Reloader() { stop(); }

void Reloader::stop() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Reloader::request(std::string failed) {
  {
    const std::scoped_lock lock(mutex_);
    failed_ = std::move(failed);
    wanted_ = true;
  }
  wake_.notify_all();
}

void Reloader::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || wanted_; });
    if (ending_) return;
    wanted_ = false;
    const std::string failed = failed_;
    lock.unlock();
    notifyReloading();
    notifyReady(reload(failed));
    lock.lock();
  }
}

std::string Reloader::reload(const std::string &failed) {
  std::string why;
  try {
    host_.reloadFilters();
    const LogConfiguration before = running_.log;
    Result<std::string> done = apply();
    if (done) {
      if (!failed.empty()) append(*done, failed);
      // The result is logged at the more verbose of both levels.
      const auto &[level, format] = running_.log;
      if (level < before.level) log::start(level, before.format);
      log::info("config", "the configuration was read again: " + *done);
      if (level != before.level || format != before.format) log::start(level, format);
      host_.access().audit().write({.kind = "reconfigured", .reason = *done});
      return failed.empty() ? "Serving" : "Serving; " + failed;
    }
    why = done.failure().message;
  } catch (const std::exception &thrown) {
    why = thrown.what();
  }
  log::error("config",
             "the configuration is not applied, the server goes on with the old one: " + why);
  if (!failed.empty()) append(why, failed);
  host_.access().audit().write({.kind = "reconfigured", .reason = "not applied: " + why});
  return "Serving with the previous configuration: " + why;
}

Result<std::string> Reloader::apply() {
  if (!file_.empty())
    if (Status fits = regular(file_); !fits) return std::move(fits).failure();
  const Result<Invocation> read = read_();
  if (!read) return read.failure();
  const Configuration &next = read->configuration;
  if (!file_.empty() && !setsAnything(next, file_) && setsAnything(running_, file_))
    return Failure{Fault::InvalidInput, file_ + ": sets no key; reload once it is complete"};
  const Differing differ = differing(running_, next);
  if (!differ.decisive.empty())
    return Failure{Fault::InvalidInput, "restart the server to apply " + listOf(differ.decisive)};
  for (const std::string &warning : read->warnings) log::warning("config", warning);
  const Result<Host::Reconfigured> done = host_.reconfigure(next);
  if (!done) return done.failure();
  applied_(next);
  const bool otherLog =
      running_.log.level != next.log.level || running_.log.format != next.log.format;
  const std::string text = textOf(*done, changedKeys(running_, next), otherLog);
  running_.log = next.log;
  running_.sources = next.sources;
  running_.access.visibility = next.access.visibility;
  running_.search.minScore = next.search.minScore;
  running_.skillRules = next.skillRules;
  running_.strict = next.strict;
  running_.includeSkills = next.includeSkills;
  running_.excludeSkills = next.excludeSkills;
  running_.places = next.places;
  for (const std::string &key : differ.others)
    log::warning("config", "this change takes effect after a restart only: " + key);
  return text;
}

} // namespace skillhost::app
