// SPDX-License-Identifier: Apache-2.0
// The plugin files of this host: where they are, which may be used, and what is in them. What is
// not the host's own is only looked into by a child. Guarded by its owner.
#pragma once

#include "jsonschema/setting_problem.hpp"
#include "plugin/registry.hpp"
#include "plugin_copy.hpp"
#include "plugin_lock.hpp"
#include "scan_cache.hpp"

#include <skillhost/plugin.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct FoundPlugin {
  PluginFacts facts;
  const skh_plugin *loaded = nullptr; // in this process
};

struct PluginFile {
  bool looked = false;
  bool trusted = false; // the host's own
  bool crashed = false; // looking into it did
  std::string refusal;  // why it, or part of it, cannot be used
  // What was held against plugins.lock, and is loaded in its place; null: there is no lock.
  std::shared_ptr<const PluginCopy> copy;
  std::vector<FoundPlugin> plugins; // of kinds this host knows or not
};

class PluginFiles {
public:
  PluginFiles(const std::vector<std::string> &builtIn, PluginSettings settings);

  struct Found {
    std::string path;
    PluginFile *file;
    FoundPlugin *plugin;
  };
  // By file stem, id or path. The pointers hold as long as this object. NotFound: nothing is named
  // so; Denied: its file cannot be used.
  Result<Found> find(const std::string &wanted, std::string_view kind);
  // Why there is no such plugin, and which there are: after find() has not found it.
  SettingProblem missing(const std::string &wanted, std::string_view kind) const;
  // Into this process, for good.
  Result<const skh_plugin *> load(const Found &found);
  // Once; reads what it says of itself.
  void look(const std::string &path, PluginFile &file);
  // Which of `files` has the plugin; empty when none has.
  static std::string fileOf(const std::map<std::string, PluginFile> &files, const std::string &id);
  std::map<std::string, PluginFile> &all() noexcept { return files_; } // by canonical path
  const PluginSettings &settings() const noexcept { return settings_; }

private:
  void collect(const std::string &directory);
  std::string add(const std::string &path);
  bool isTrusted(const std::string &path) const;
  std::string refusalOf(const std::string &path, PluginFile &file, std::string &digest) const;
  void scan(const std::string &path, const std::string &digest, PluginFile &file) const;
  static void loadInto(const std::string &path, PluginFile &file);

  const PluginSettings settings_;
  std::vector<std::string> trusted_; // canonical folders
  std::optional<Result<PluginLock>> lock_;
  ScanCache cache_;
  std::map<std::string, PluginFile> files_;
};

} // namespace skillhost
