// SPDX-License-Identifier: Apache-2.0
// The plugin files of this host: where they are, which may be used, and what is in them. Only a
// child process looks into files that are not the host's own. Guarded by its owner.
#pragma once

#include "jsonschema/setting_problem.hpp"
#include "plugin/registry.hpp"
#include "plugin_calls/plugin_copy.hpp"
#include "plugin_calls/plugin_lock.hpp"
#include "plugin_calls/scan_cache.hpp"

#include <skillhost/plugin.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

inline constexpr std::string_view automaticPlugin = "auto"; // a value of search.plugin

struct FoundPlugin {
  PluginFacts facts;
  const skh_plugin *loaded = nullptr; // set if loaded in this process
};

struct PluginFile {
  bool isExamined = false;
  bool isTrusted = false;    // the host's own
  bool crashed = false;      // its scan crashed
  bool isToldUnused = false; // a warning has named the file that is used in its place
  std::string refusal;       // why it, or a part of it, cannot be used
  // The copy that was compared with plugins.lock and is loaded in place of the file; null: no lock.
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
  // Finds a plugin by file stem, id or path; automaticPlugin is the first search plugin of the
  // build's list that can be used. The pointers are valid as long as this object. Fails with
  // NotFound if nothing has that name, and with Denied if its file cannot be used.
  Result<Found> find(const std::string &wanted, std::string_view kind);
  // Says, after find() has not found it, that there is no such plugin, and which there are.
  SettingProblem missing(const std::string &wanted, std::string_view kind) const;
  // Loads the plugin into this process, for good.
  Result<const skh_plugin *> load(const Found &found);
  // Reads what the file says of itself, once for each file.
  void examine(const std::string &path, PluginFile &file);
  // Returns the file among `files` that find() takes for the plugin's id and kind; empty if none
  // has it.
  static std::string fileOf(const std::map<std::string, PluginFile> &files,
                            const PluginFacts &facts);
  std::map<std::string, PluginFile> &all() noexcept { return files_; } // by canonical path
  const PluginSettings &settings() const noexcept { return settings_; }

private:
  Result<Found> findNamed(const std::string &wanted, std::string_view kind);
  void warnOfUnused(const std::string &used, const PluginFacts &facts);
  void collect(const std::string &directory);
  std::string add(const std::string &path);
  bool isTrusted(const std::string &path) const;
  std::string refusalOf(const std::string &path, PluginFile &file, std::string &digest) const;
  void scan(const std::string &path, const std::string &digest, PluginFile &file) const;
  static void loadInto(const std::string &path, PluginFile &file);

  const PluginSettings settings_;
  std::vector<std::string> trusted_; // canonical files and folders
  std::optional<Result<PluginLock>> lock_;
  ScanCache cache_;
  std::map<std::string, PluginFile> files_;
};

} // namespace skillhost
