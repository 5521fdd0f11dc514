// SPDX-License-Identifier: Apache-2.0
#include "inbox/configured.hpp"

#include "configuration/places.hpp"
#include "ground/json.hpp"
#include "ground/json_member.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace skillhost::inbox {
namespace {

namespace fs = std::filesystem;

// Returns the path without links, as far as it exists, and with HOME in place of "~".
fs::path resolved(const std::string &path) {
  std::string whole = path;
  const char *const home = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (home != nullptr && (path == "~" || path.starts_with("~/"))) whole = home + path.substr(1);
  std::error_code error;
  fs::path found = fs::weakly_canonical(whole, error);
  if (error) found = fs::path(whole).lexically_normal();
  if (!found.has_filename()) found = found.parent_path(); // a slash at the end
  return found;
}

// True if `path` is the folder or lies in it.
bool liesIn(const fs::path &path, const fs::path &folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

// Returns a path in the settings of a source that is the folder or contains it; empty if there is
// none.
std::string pathAround(const Json &settings, const fs::path &folder) {
  if (const auto *const text = settings.get_ptr<const std::string *>()) {
    const bool isPath = text->starts_with('/') || *text == "~" || text->starts_with("~/");
    return isPath && liesIn(folder, resolved(*text)) ? *text : std::string();
  }
  if (!settings.is_structured()) return {};
  for (const Json &one : settings)
    if (std::string path = pathAround(one, folder); !path.empty()) return path;
  return {};
}

[[noreturn]] void refuse(const app::Configuration &configuration, const char *setting,
                         const std::string &why) {
  throw std::runtime_error(app::located(configuration, "inbox", {{setting, why}}));
}

} // namespace

std::optional<InboxSettings> inboxSettings(const app::Configuration &configuration) {
  const auto &from = configuration.features;
  const std::optional<std::string> folder = from.textIfAny("inbox.folder");
  if (!folder) return std::nullopt;
  InboxSettings settings;
  settings.store.folder = *folder;
  settings.source = from.textIfAny("inbox.source").value_or("");
  const auto source =
      std::find_if(configuration.sources.begin(), configuration.sources.end(),
                   [&](const auto &one) { return one.enabled && one.name == settings.source; });
  if (source == configuration.sources.end())
    refuse(configuration, "source", "there is no source with the name \"" + settings.source + '"');
  const Json &directories = memberOf(source->config, "directories");
  if (!directories.is_array() || directories.empty() || !directories.front().is_string())
    refuse(configuration, "source",
           "the source " + settings.source +
               " has no directories, so no approved skill can be written for it");
  const fs::path skills = resolved(directories.front().get<std::string>());
  settings.store.skills = skills.string();
  if (directories.size() > 1) settings.prefix = skills.filename().string() + '/';
  const fs::path proposals = resolved(*folder);
  if (liesIn(skills, proposals))
    refuse(configuration, "folder",
           *folder + " must not contain " + skills.string() + ", from which skills are served");
  for (const app::SourceConfiguration &one : configuration.sources)
    if (const std::string path = pathAround(one.config, proposals); !path.empty())
      refuse(configuration, "folder",
             *folder + " must not lie in " + path + ", which the source " + one.name +
                 " reads: proposals are not served");
  const auto size = [&](const char *key) { return static_cast<std::size_t>(from.number(key)); };
  settings.store.pending = size("inbox.max_pending");
  settings.store.pendingPerProposer = size("inbox.max_pending_per_proposer");
  settings.store.keepSeconds = static_cast<std::int64_t>(size("inbox.keep_days")) * 86'400;
  settings.limits = {size("inbox.max_files"), size("inbox.max_bytes")};
  settings.scope = from.text("inbox.propose_scope");
  settings.strictness = configuration.skillRules;
  return settings;
}

} // namespace skillhost::inbox
