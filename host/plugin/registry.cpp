// SPDX-License-Identifier: Apache-2.0
#include "plugin/registry.hpp"

#include "base/log.hpp"
#include "instance.hpp"
#include "library.hpp"
#include "search_instance.hpp"
#include "source_instance.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

namespace skillhost {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view sourceKind = "skh.source/1";
constexpr std::string_view searchKind = "skh.search/1";

std::string_view tail(std::string_view id) { return id.substr(id.rfind('.') + 1); }

// Does the table reach as far as its last mandatory function, and have all of them?
bool complete(const skh_source &ops) {
  return SKH_HAS(&ops, read) && ops.list != nullptr && ops.read != nullptr;
}
bool complete(const skh_search &ops) {
  return SKH_HAS(&ops, query) && ops.put != nullptr && ops.remove != nullptr &&
         ops.commit != nullptr && ops.query != nullptr;
}

// What the contract asks of a descriptor before anything of it is used.
bool complete(const skh_plugin &plugin) {
  const bool whole = plugin.size >= offsetof(skh_plugin, extension) && plugin.kind != nullptr &&
                     plugin.id != nullptr && plugin.version != nullptr &&
                     plugin.summary != nullptr && plugin.licence != nullptr &&
                     plugin.ops != nullptr && plugin.create != nullptr && plugin.destroy != nullptr;
  if (!whole) return false;
  if (plugin.kind == sourceKind) return complete(*static_cast<const skh_source *>(plugin.ops));
  if (plugin.kind == searchKind) return complete(*static_cast<const skh_search *>(plugin.ops));
  return true;
}

} // namespace

std::string_view name(PluginState state) noexcept {
  constexpr std::array<std::string_view, 7> names{
      "found", "incompatible", "unconfigured", "loaded", "degraded", "failed", "broken"};
  return names[static_cast<std::size_t>(state)];
}

class PluginRegistry::Implementation {
public:
  explicit Implementation(const std::vector<std::string> &directories) {
    for (const std::string &directory : directories) collect(directory);
  }

  Result<std::shared_ptr<Instance>> make(const InstanceConfiguration &configuration,
                                         std::string_view kind) {
    const std::scoped_lock lock(mutex_);
    Result<const skh_plugin *> plugin = find(configuration.plugin, kind);
    Result<std::shared_ptr<Instance>> made =
        plugin ? Instance::create(**plugin, configuration)
               : Result<std::shared_ptr<Instance>>(Failure{
                     plugin.failure().fault, configuration.name + ": " + plugin.failure().message});
    Made entry;
    entry.instance = made ? *made : nullptr;
    entry.description.instance = configuration.name;
    entry.description.id = plugin ? (*plugin)->id : configuration.plugin;
    entry.description.kind = kind;
    if (!made) {
      entry.description.state = PluginState::Failed;
      entry.description.reason = made.failure().message;
    }
    made_.push_back(std::move(entry));
    return made;
  }

  std::vector<PluginDescription> describe(bool look) {
    const std::scoped_lock lock(mutex_);
    std::vector<PluginDescription> all;
    std::set<std::string> configured;
    for (const Made &made : made_) {
      PluginDescription one = made.description;
      if (const auto instance = made.instance.lock()) one = instance->describe();
      one.file = fileOf(one.id);
      configured.insert(one.id);
      all.push_back(std::move(one));
    }
    for (auto &[path, file] : files_) {
      if (look) open(path, file);
      describeFile(path, file, configured, all);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto &a, const auto &b) { return a.file < b.file; });
    return all;
  }

private:
  struct File {
    bool opened = false;
    std::string refusal;                     // why it cannot be used
    std::vector<const skh_plugin *> plugins; // of kinds this host knows or not
  };
  struct Made {
    std::weak_ptr<Instance> instance;
    PluginDescription description; // when there is no instance
  };

  void collect(const std::string &directory) {
    std::error_code error;
    const fs::path canonical = fs::canonical(directory, error);
    if (error) {
      log::debug("plugin", directory + ": " + error.message());
      return;
    }
    for (const fs::directory_entry &entry : fs::directory_iterator(canonical, error))
      if (entry.path().extension() == ".so") add(entry.path().string());
    if (error) log::warning("plugin", directory + ": " + error.message());
  }

  // Returns the key under which the file is known.
  std::string add(const std::string &path) {
    std::error_code error;
    const fs::path canonical = fs::canonical(path, error);
    const std::string key = error ? path : canonical.string();
    File &file = files_[key];
    if (error) file.refusal = error.message();
    return key;
  }

  void open(const std::string &path, File &file) {
    if (file.opened || !file.refusal.empty()) return;
    file.opened = true;
    if (Status owned = checkOwnership(path); !owned) {
      file.refusal = owned.failure().message;
    } else if (Result<const skh_entry *> entry = openPlugin(path); !entry) {
      file.refusal = entry.failure().message;
    } else {
      for (const skh_plugin *const *plugin = (*entry)->plugins; *plugin != nullptr; ++plugin)
        if (complete(**plugin))
          file.plugins.push_back(*plugin);
        else
          file.refusal = "one of its plugins lacks a required field or function";
    }
    if (!file.refusal.empty()) log::warning("plugin", path + ": " + file.refusal);
  }

  Result<const skh_plugin *> find(const std::string &wanted, std::string_view kind) {
    const bool isPath = wanted.find('/') != std::string::npos;
    const std::string path = isPath ? add(wanted) : std::string();
    std::string refusals;
    // The file named after the plugin first; the others are only opened when that was not it.
    for (const bool named : {true, false}) {
      for (auto &[key, file] : files_) {
        if (isPath ? key != path : named != (fs::path(key).stem() == tail(wanted))) continue;
        open(key, file);
        for (const skh_plugin *plugin : file.plugins)
          if (plugin->kind == kind &&
              (isPath || plugin->id == wanted || tail(plugin->id) == wanted))
            return plugin;
        if (named && !file.refusal.empty()) refusals += "; " + key + ": " + file.refusal;
      }
    }
    return {Fault::NotFound, "no plugin \"" + wanted + "\" of kind " + std::string(kind) +
                                 " in the plugin directories" + refusals};
  }

  std::string fileOf(const std::string &id) const {
    for (const auto &[path, file] : files_)
      for (const skh_plugin *plugin : file.plugins)
        if (plugin->id == id) return path;
    return {};
  }

  static void describeFile(const std::string &path, const File &file,
                           const std::set<std::string> &configured,
                           std::vector<PluginDescription> &all) {
    PluginDescription one;
    one.file = path;
    if (!file.refusal.empty() || !file.opened) {
      one.state = file.refusal.empty() ? PluginState::Found : PluginState::Incompatible;
      one.reason = file.refusal;
      all.push_back(one);
    }
    for (const skh_plugin *plugin : file.plugins) {
      if (configured.contains(plugin->id)) continue;
      one.kind = plugin->kind;
      one.id = plugin->id;
      one.version = plugin->version;
      one.summary = plugin->summary;
      one.licence = plugin->licence;
      const bool known = plugin->kind == sourceKind || plugin->kind == searchKind;
      one.state = known ? PluginState::Unconfigured : PluginState::Incompatible;
      one.reason = known ? "" : "this host knows no plugins of kind " + one.kind;
      all.push_back(one);
    }
  }

  std::mutex mutex_;
  std::map<std::string, File> files_; // by canonical path
  std::vector<Made> made_;
};

PluginRegistry::PluginRegistry(const std::vector<std::string> &directories)
    : implementation_(std::make_unique<Implementation>(directories)) {}
PluginRegistry::~PluginRegistry() = default;

Result<std::shared_ptr<Source>>
PluginRegistry::makeSource(const InstanceConfiguration &configuration) {
  Result<std::shared_ptr<Instance>> made = implementation_->make(configuration, sourceKind);
  if (!made) return std::move(made).failure();
  return std::shared_ptr<Source>(std::make_shared<SourceInstance>(*std::move(made)));
}

Result<std::shared_ptr<SearchBackend>>
PluginRegistry::makeSearch(const InstanceConfiguration &configuration) {
  Result<std::shared_ptr<Instance>> made = implementation_->make(configuration, searchKind);
  if (!made) return std::move(made).failure();
  return std::shared_ptr<SearchBackend>(std::make_shared<SearchInstance>(*std::move(made)));
}

std::vector<PluginDescription> PluginRegistry::describe(bool look) {
  return implementation_->describe(look);
}

} // namespace skillhost
