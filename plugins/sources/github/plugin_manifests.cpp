// SPDX-License-Identifier: Apache-2.0
#include "plugin_manifests.hpp"

#include "paths/names.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace skillhost::github {
namespace {

using nlohmann::json;

constexpr std::uint64_t mostBytes = 1'048'576; // of a manifest
constexpr const char *marketplaceName = ".claude-plugin/marketplace.json";
constexpr const char *pluginName = ".claude-plugin/plugin.json";

// "./skills/pdf" below `base`; nothing for a path that leaves it.
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

class Manifests {
public:
  Manifests(const FileIndex &index, Blobs &blobs, std::vector<Finding> &findings)
      : index_(index), blobs_(blobs), findings_(findings) {}

  std::vector<std::string> all() {
    const json marketplace = load(marketplaceName);
    const auto plugins = marketplace.find("plugins");
    if (plugins == marketplace.end() || !plugins->is_array()) {
      plugin("");
      return std::move(folders_);
    }
    const auto about = marketplace.find("metadata");
    const bool hasRoot = about != marketplace.end() && about->is_object();
    const std::string root = hasRoot ? textOf(*about, "pluginRoot") : std::string{};
    const std::string base = below("", root).value_or("");
    for (const json &one : *plugins)
      if (one.is_object()) listed(one, base);
    return std::move(folders_);
  }

private:
  json load(const std::string &path) {
    const TreeEntry *const entry = index_.at(path);
    const bool isFile = entry != nullptr &&
                        (entry->kind == EntryKind::file || entry->kind == EntryKind::executable);
    if (!isFile) return json::object();
    json manifest;
    if (blobs_.size(entry->blob) <= mostBytes)
      manifest = json::parse(blobs_.content(entry->blob), nullptr, false);
    if (manifest.is_object()) return manifest;
    findings_.push_back({path, "is no JSON object of at most 1 MiB, and is not used"});
    return json::object();
  }

  void listed(const json &entry, const std::string &base) {
    const std::string name = paths::printable(textOf(entry, "name"));
    const auto source = entry.find("source");
    if (source == entry.end() || !source->is_string()) {
      findings_.push_back({marketplaceName, "the plugin \"" + name +
                                                "\" comes from another repository and is left out: "
                                                "make that one a source of its own"});
      return;
    }
    const std::optional<std::string> folder = below(base, source->get<std::string>());
    if (!folder) {
      findings_.push_back({marketplaceName, "the plugin \"" + name + "\" lies outside: left out"});
      return;
    }
    folders_.push_back(*folder);
    skills(entry, *folder);
    plugin(*folder);
  }

  void plugin(const std::string &folder) {
    skills(load(paths::joined(folder, pluginName)), folder);
  }

  void skills(const json &manifest, const std::string &folder) {
    const auto named = manifest.find("skills");
    if (named == manifest.end()) return;
    for (const json &one : named->is_array() ? *named : json::array({*named}))
      if (one.is_string())
        if (const auto path = below(folder, one.get<std::string>())) folders_.push_back(*path);
  }

  const FileIndex &index_;
  Blobs &blobs_;
  std::vector<Finding> &findings_;
  std::vector<std::string> folders_;
};

} // namespace

std::vector<std::string> namedFolders(const FileIndex &index, Blobs &blobs,
                                      std::vector<Finding> &findings) {
  return Manifests(index, blobs, findings).all();
}

} // namespace skillhost::github
