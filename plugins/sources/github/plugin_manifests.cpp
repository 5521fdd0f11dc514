// SPDX-License-Identifier: Apache-2.0
#include "plugin_manifests.hpp"

#include "state_file.hpp"

#include "paths/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace skillhost::github {
namespace {

using nlohmann::json;

constexpr std::uint64_t maxBytes = 1'048'576; // limit of a manifest
constexpr std::size_t maxMarketplacePlugins = 128;
constexpr std::size_t maxPluginNameBytes = 128;
constexpr std::size_t maxFolders = 1'000; // folders that manifests of a repository may name
constexpr const char *marketplaceName = ".claude-plugin/marketplace.json";
constexpr const char *pluginName = ".claude-plugin/plugin.json";

// Resolves "./skills/pdf" below `base`; nothing for a path that leaves `base`.
std::optional<std::string> below(const std::string &base, std::string_view written) {
  std::string path = base;
  while (!written.empty()) {
    const std::size_t slash = written.find('/');
    const std::string_view part = written.substr(0, slash);
    written = slash == written.npos ? std::string_view{} : written.substr(slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == ".." || !paths::servable(part)) return std::nullopt;
    path = paths::joined(path, part);
  }
  return path;
}

std::string textOf(const json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

// Reads "skills", a folder or a list of folders, and keeps those below `base`.
std::vector<std::string> skillFolders(const json &manifest, const std::string &base) {
  std::vector<std::string> folders;
  const auto take = [&](const json &one) {
    if (!one.is_string() || folders.size() == maxFolders) return;
    if (auto path = below(base, one.get_ref<const std::string &>()))
      folders.push_back(std::move(*path));
  };
  const auto named = manifest.find("skills");
  if (named == manifest.end()) return folders;
  take(*named);
  if (named->is_array()) std::for_each(named->begin(), named->end(), take);
  return folders;
}

bool isIdPart(const std::string &name) {
  return !name.empty() && name.size() <= maxPluginNameBytes && name.front() != '.' &&
         name.find('/') == name.npos && paths::servable(name);
}

class Manifests {
public:
  Manifests(const FileIndex &index, const Selection &selection, Blobs &blobs,
            std::vector<Finding> &findings)
      : index_(index), selection_(selection), blobs_(blobs), findings_(findings) {}

  Named all() {
    if (!selection_.prefix.empty()) {
      open(selection_.opened);
      plugin("");
      return std::move(named_);
    }
    const json marketplace = load(marketplaceName);
    const auto plugins = marketplace.find("plugins");
    if (plugins == marketplace.end() || !plugins->is_array()) {
      plugin("");
      return std::move(named_);
    }
    const auto about = marketplace.find("metadata");
    const bool hasRoot = about != marketplace.end() && about->is_object();
    const std::string root = hasRoot ? textOf(*about, "pluginRoot") : std::string{};
    const std::string base = below("", root).value_or("");
    for (const json &one : *plugins)
      if (one.is_object()) listed(one, base);
    return std::move(named_);
  }

private:
  json load(const std::string &path) {
    const TreeEntry *const entry = index_.at(path);
    const bool isFile = entry != nullptr &&
                        (entry->kind == EntryKind::file || entry->kind == EntryKind::executable);
    if (!isFile) return json::object();
    json manifest;
    if (blobs_.size(entry->blob) <= maxBytes)
      manifest = json::parse(blobs_.content(entry->blob), nullptr, false);
    if (manifest.is_object()) return manifest;
    note(path, "is no JSON object of at most 1 MiB, and is not used");
    return json::object();
  }

  void note(const std::string &manifest, std::string reason) {
    findings_.push_back({paths::joined(selection_.prefix, manifest), std::move(reason)});
  }

  void listed(const json &entry, const std::string &base) {
    const std::string name = textOf(entry, "name");
    const auto source = entry.find("source");
    if (source != entry.end() && source->is_object()) return marketplace(entry, *source, name);
    const std::optional<std::string> folder = source != entry.end() && source->is_string()
                                                  ? below(base, source->get<std::string>())
                                                  : std::nullopt;
    if (!folder) return leaveOut(name, "lies in no folder of this repository");
    open({*folder});
    open(skillFolders(entry, *folder));
    plugin(*folder);
  }

  // Reads {"source": "github", "repo"}, {"source": "url", "url"} or {"source": "git-subdir", "url",
  // "path"}, each with optional "ref" and "sha".
  void marketplace(const json &entry, const json &source, const std::string &name) {
    if (!selection_.marketplace)
      return leaveOut(name, "comes from another repository (marketplace_plugins)");
    MarketplacePlugin plugin{
        name, textOf(source, "repo"), textOf(source, "ref"), textOf(source, "sha"),
        {},   skillFolders(entry, "")};
    if (plugin.url.empty()) plugin.url = textOf(source, "url");
    const std::optional<std::string> subpath = below("", textOf(source, "path"));
    if (plugin.url.empty() || !subpath)
      return leaveOut(name, "comes from what is no git repository");
    if (source.contains("sha") && !isObjectId(plugin.sha))
      return leaveOut(name, "has a sha that is no whole SHA of a commit");
    plugin.subpath = *subpath;
    const bool isNew = std::none_of(named_.marketplace.begin(), named_.marketplace.end(),
                                    [&](const MarketplacePlugin &one) { return one.name == name; });
    if (!isIdPart(name) || !isNew)
      return leaveOut(name, "needs a name of its own that can be part of a path");
    if (named_.marketplace.size() == maxMarketplacePlugins)
      return leaveOut(name, "is one too many from other repositories: at most " +
                                std::to_string(maxMarketplacePlugins) + " are taken");
    named_.marketplace.push_back(std::move(plugin));
  }

  void leaveOut(const std::string &name, const std::string &why) {
    note(marketplaceName,
         "the plugin \"" + paths::printable(name) + "\" " + why + ", and is left out");
  }

  void plugin(const std::string &folder) {
    if (!read_.insert(folder).second || read_.size() > maxFolders) return;
    open(skillFolders(load(paths::joined(folder, pluginName)), folder));
  }

  void open(const std::vector<std::string> &folders) {
    for (const std::string &folder : folders) {
      if (opened_.contains(folder)) continue;
      if (opened_.size() == maxFolders) {
        if (!std::exchange(isFull_, true))
          note(marketplaceName, "more than " + std::to_string(maxFolders) +
                                    " folders are named, and the others count as any folder does");
        return;
      }
      opened_.insert(folder);
      named_.folders.push_back(folder);
    }
  }

  const FileIndex &index_;
  const Selection &selection_;
  Blobs &blobs_;
  std::vector<Finding> &findings_;
  Named named_;
  // The folders whose plugin.json was read, and the folders that manifests name.
  std::set<std::string> read_, opened_;
  bool isFull_ = false;
};

} // namespace

Named namedBy(const FileIndex &index, const Selection &selection, Blobs &blobs,
              std::vector<Finding> &findings) {
  return Manifests(index, selection, blobs, findings).all();
}

} // namespace skillhost::github
