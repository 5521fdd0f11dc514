// SPDX-License-Identifier: Apache-2.0
#include "plugin_files.hpp"

#include "base/log.hpp"
#include "ground/blake3.hpp"
#include "ground/folder.hpp"
#include "ground/trusted_path.hpp"
#include "plugin_calls/library.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <sstream>

namespace skillhost {
namespace {

namespace fs = std::filesystem;

std::string_view tail(std::string_view id) { return id.substr(id.rfind('.') + 1); }

std::atomic<bool> strangers{false};

} // namespace

bool thirdPartyPluginLoaded() noexcept { return strangers; }

PluginFiles::PluginFiles(const std::vector<std::string> &builtIn, PluginSettings settings)
    : settings_(std::move(settings)), cache_(settings_.cacheDirectory, SKILLHOST_VERSION) {
  std::error_code error;
  for (const std::string &place : builtIn) trusted_.push_back(fs::canonical(place, error).string());
  if (!settings_.lock.empty()) {
    lock_ = PluginLock::read(settings_.lock);
    if (!*lock_) log::error("plugin", lock_->failure().message);
  }
  for (const std::string &directory : settings_.directories) collect(directory);
  for (const std::string &place : builtIn)
    if (fs::is_regular_file(place, error))
      add(place);
    else
      collect(place);
}

void PluginFiles::collect(const std::string &directory) {
  std::error_code error;
  const fs::path canonical = fs::canonical(directory, error);
  if (error) {
    log::debug("plugin", directory + ": " + error.message());
    return;
  }
  if (const Status link = canonical == directory ? Status(Done{}) : checkTrusted(directory); !link)
    return log::warning("plugin", "no plugin is taken from " + link.failure().message);
  for (const std::string &name : namesIn(canonical.string(), error))
    if (fs::path(name).extension() == ".so") add((canonical / name).string());
  if (error) log::warning("plugin", directory + ": " + error.message());
}

// Returns the key under which the file is known.
std::string PluginFiles::add(const std::string &path) {
  std::error_code error;
  const fs::path canonical = fs::canonical(path, error);
  // A link of another user may lead to another plugin tomorrow.
  const Status link = error || canonical == path ? Status(Done{}) : checkTrusted(path);
  const std::string key = error || !link ? path : canonical.string();
  PluginFile &file = files_[key];
  file.isTrusted = isTrusted(key);
  if (error) file.refusal = error.message();
  if (!link) file.refusal = link.failure().message;
  return key;
}

bool PluginFiles::isTrusted(const std::string &path) const {
  const std::string folder = fs::path(path).parent_path().string();
  return std::any_of(trusted_.begin(), trusted_.end(), [&](const std::string &trusted) {
    return !trusted.empty() && (trusted == path || trusted == folder);
  });
}

// Returns why the file may not be used, before anything of it is run; empty if it may. `digest`
// stays empty if nobody needs it.
std::string PluginFiles::refusalOf(const std::string &path, PluginFile &file,
                                   std::string &digest) const {
  const Status owned = checkOwnership(path, ", or move the plugin to another folder");
  if (!owned) return owned.failure().message;
  if (!lock_) {
    if (file.isTrusted) return {};
    Result<std::string> read = blake3OfFile(path);
    if (!read) return read.failure().message;
    digest = *std::move(read);
    return {};
  }
  if (!*lock_) return lock_->failure().message;
  Result<std::shared_ptr<const PluginCopy>> copy = PluginCopy::of(path);
  if (!copy) return copy.failure().message;
  file.copy = *std::move(copy);
  digest = file.copy->digest();
  const Status listed = (*lock_)->check(path, digest);
  return listed ? std::string() : listed.failure().message;
}

void PluginFiles::examine(const std::string &path, PluginFile &file) {
  if (file.isExamined || !file.refusal.empty()) return;
  file.isExamined = true;
  std::string digest;
  file.refusal = refusalOf(path, file, digest);
  if (file.refusal.empty()) {
    if (file.isTrusted)
      loadInto(path, file);
    else
      scan(path, digest, file);
  }
  if (file.refusal.empty()) return;
  file.copy.reset(); // nobody will load it
  log::warning("plugin", path + ": " + file.refusal);
}

void PluginFiles::loadInto(const std::string &path, PluginFile &file) {
  const Result<const skh_entry *> entry =
      openPlugin(path, file.copy ? file.copy->forLoading() : -1);
  if (!entry) {
    file.refusal = entry.failure().message;
    return;
  }
  for (const skh_plugin *const *plugin = (*entry)->plugins; *plugin != nullptr; ++plugin)
    if (isComplete(**plugin))
      file.plugins.push_back({PluginFacts::of(**plugin), *plugin});
    else
      file.refusal = "one of its plugins lacks a required field or function";
}

void PluginFiles::scan(const std::string &path, const std::string &digest, PluginFile &file) const {
  if (!settings_.isolation) {
    file.refusal = "it is not one of skillhost's own plugins, so it needs a process of its own: " +
                   std::string(noIsolation);
    return;
  }
  std::optional<PluginScan> found = cache_.find(digest);
  if (!found) {
    found = settings_.isolation->inspect(path, file.copy ? file.copy->descriptor() : -1);
    const Result<std::string> after = file.copy ? digest : blake3OfFile(path);
    if (!after || *after != digest) {
      file.refusal = "the file changed while it was scanned";
      return;
    }
    cache_.keep(digest, *found);
  }
  file.refusal = found->refusal;
  file.crashed = found->crashed;
  for (PluginFacts &facts : found->plugins) file.plugins.push_back({std::move(facts), nullptr});
}

Result<PluginFiles::Found> PluginFiles::find(const std::string &wanted, std::string_view kind) {
  if (wanted != automaticPlugin || kind != searchKind) return findNamed(wanted, kind);
  std::istringstream names(SKILLHOST_SEARCH_PLUGINS);
  for (std::string name; names >> name;) {
    Result<Found> found = findNamed(name, kind);
    const std::string said = found ? name + " is used" : found.failure().message;
    log::info("plugin", "search.plugin auto: " + said);
    if (found || names.eof()) return found;
  }
  return {Fault::NotFound, "this build has no search plugin"};
}

Result<PluginFiles::Found> PluginFiles::findNamed(const std::string &wanted,
                                                  std::string_view kind) {
  const bool isPath = wanted.find('/') != std::string::npos;
  const std::string path = isPath ? add(wanted) : std::string();
  std::string refusals;
  // The file named after the plugin comes first; the others are only opened if that was not it.
  for (const bool named : {true, false}) {
    for (auto &[key, file] : files_) {
      if (isPath ? key != path : named != (fs::path(key).stem() == tail(wanted))) continue;
      examine(key, file);
      for (FoundPlugin &plugin : file.plugins)
        if (plugin.facts.kind == kind &&
            (isPath || plugin.facts.id == wanted || tail(plugin.facts.id) == wanted)) {
          if (!isPath) warnOfUnused(key, plugin.facts);
          return Found{key, &file, &plugin};
        }
      if (named && !file.refusal.empty()) refusals += "; " + key + ": " + file.refusal;
    }
  }
  std::error_code unknown;
  const bool isThere = !refusals.empty() && (!isPath || fs::exists(wanted, unknown));
  return {isThere ? Fault::Denied : Fault::NotFound, "no plugin \"" + wanted + "\" of kind " +
                                                         std::string(kind) +
                                                         " in the plugin directories" + refusals};
}

// Warns of other files with the plugin that is used, once for each. A file of another name counts
// only if it was examined for another reason, because that may start a process.
void PluginFiles::warnOfUnused(const std::string &used, const PluginFacts &facts) {
  for (auto &[key, file] : files_) {
    if (key == used) continue;
    if (fs::path(key).stem() == tail(facts.id)) examine(key, file);
    if (!fileOf({{key, file}}, facts).empty() && !std::exchange(file.isToldUnused, true))
      log::warning("plugin", key + ": not used: " + used + " has the same id, " + facts.id);
  }
}

SettingProblem PluginFiles::missing(const std::string &wanted, std::string_view kind) const {
  // "skh.source/1" → "source"
  const std::size_t dot = kind.rfind('.') + 1;
  const std::string what(kind.substr(dot, kind.find('/') - dot));
  if (wanted.find('/') != std::string::npos) {
    std::error_code unknown;
    const bool isThere = fs::exists(wanted, unknown);
    return {"plugin", isThere ? wanted + " holds no " + what + " plugin"
                              : "there is no file " + wanted + ": write the path of its .so"};
  }
  SettingProblem problem{"plugin", "there is no " + what + " plugin \"" + wanted + '"', wanted};
  for (const auto &[path, file] : files_)
    for (const FoundPlugin &plugin : file.plugins) {
      if (plugin.facts.kind != kind) continue;
      const bool whole = wanted.find('.') != std::string::npos;
      problem.known.emplace_back(whole ? std::string_view(plugin.facts.id) : tail(plugin.facts.id));
    }
  return problem;
}

Result<const skh_plugin *> PluginFiles::load(const Found &found) {
  if (!found.file->isTrusted) strangers = true;
  if (found.plugin->loaded != nullptr) return found.plugin->loaded;
  PluginFile loaded;
  loaded.copy = found.file->copy;
  loadInto(found.path, loaded);
  for (const FoundPlugin &plugin : loaded.plugins)
    if (plugin.facts.id == found.plugin->facts.id && plugin.facts.kind == found.plugin->facts.kind)
      return found.plugin->loaded = plugin.loaded;
  return {Fault::InvalidFormat, found.path + ": " + loaded.refusal};
}

std::string PluginFiles::fileOf(const std::map<std::string, PluginFile> &files,
                                const PluginFacts &facts) {
  std::string first;
  for (const auto &[path, file] : files)
    for (const FoundPlugin &plugin : file.plugins) {
      if (plugin.facts.id != facts.id || plugin.facts.kind != facts.kind) continue;
      if (fs::path(path).stem() == tail(facts.id)) return path;
      if (first.empty()) first = path;
    }
  return first;
}

} // namespace skillhost
