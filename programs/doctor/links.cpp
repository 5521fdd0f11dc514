// SPDX-License-Identifier: Apache-2.0
#include "links.hpp"

#include "beneath/top_link.hpp"
#include "ground/counted.hpp"
#include "instance_configuration.hpp"

#include <nlohmann/json.hpp>

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace skillhost::app {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t maxReportedLinks = 5; // of one directory

std::string home() {
  const char *const value = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe): one thread
  return value != nullptr && *value == '/' && value[1] != '\0' ? value : std::string();
}

// Returns the folders in a setting, or `otherwise` if the setting is missing.
std::vector<std::string> foldersIn(const Json &config, const char *key,
                                   std::vector<std::string> otherwise) {
  const auto named = config.find(key);
  if (named == config.end() || !named->is_array()) return otherwise;
  std::vector<std::string> folders;
  for (const Json &one : *named) {
    if (!one.is_string()) continue;
    std::string path = one.get<std::string>();
    if (path == "~" || path.starts_with("~/")) path.replace(0, 1, home());
    folders.push_back(std::move(path));
  }
  return folders;
}

struct Links {
  std::vector<std::string> followed;
  std::vector<std::pair<std::string, std::string>> refused; // with the reason
  std::vector<std::pair<std::string, std::string>> asText;  // with the target
};

Links linksIn(const std::string &folder, const std::vector<std::string> &allowed,
              const std::vector<std::string> &elsewhere) {
  Links links;
  std::error_code error;
  const std::string canonical = fs::canonical(folder, error).string();
  const beneath::Root root{folder, canonical,
                           Descriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))};
  fs::directory_iterator entries(folder, error);
  if (error || !root.descriptor) return links;
  for (const fs::directory_entry &entry : entries) {
    const std::string path = entry.path().string();
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    if (!entry.is_symlink(ignored)) {
      if (std::string target = beneath::linkTextIn(path); !target.empty())
        links.asText.emplace_back(path, std::move(target));
      continue;
    }
    if (openBeneath(root, name, O_PATH).error != EXDEV) continue;
    const beneath::TopLink link = checkTopLink(root, name, allowed);
    const bool isElsewhere =
        std::any_of(elsewhere.begin(), elsewhere.end(), [&](const std::string &other) {
          return other != folder && beneath::liesIn(link.target, other);
        });
    if (isElsewhere) continue;
    if (link.refusal.empty())
      links.followed.push_back(path + " to " + link.target);
    else
      links.refused.emplace_back(path, link.refusal);
  }
  std::sort(links.followed.begin(), links.followed.end());
  std::sort(links.refused.begin(), links.refused.end());
  return links;
}

} // namespace

void examineLinks(const Configuration &configuration, const SourceConfiguration &source,
                  Remarks &remarks) {
  const std::string about = "source " + source.name;
  const std::vector<std::string> allowed =
      foldersIn(source.config, "follow_links_into", beneath::usualLinkTargets(home()));
  const std::vector<std::string> folders = foldersIn(source.config, "directories", {});
  // This is the configuration that the host passes to the plugin, with the folders of other
  // sources.
  const Json config = Json::parse(instanceOfSource(configuration, source).config, nullptr, false);
  std::vector<std::string> elsewhere = foldersIn(config, "served_elsewhere", {});
  elsewhere.insert(elsewhere.end(), folders.begin(), folders.end());
  for (const std::string &folder : folders) {
    const Links links = linksIn(folder, allowed, elsewhere);
    if (!links.followed.empty())
      remarks.push_back({Health::Good, about,
                         "follows " + counted(links.followed.size(), "link") + " out of " + folder +
                             ", such as " + links.followed.front(),
                         ""});
    for (std::size_t i = 0; i < std::min(maxReportedLinks, links.refused.size()); ++i)
      remarks.push_back(
          {Health::Warning, about,
           links.refused[i].first + " is a link that is not followed: " + links.refused[i].second,
           "put a copy in its place, or name the folder of its target in "
           "follow_links_into"});
    if (links.refused.size() > maxReportedLinks)
      remarks.push_back({Health::Warning, about,
                         counted(links.refused.size() - maxReportedLinks, "link") +
                             " more out of " + folder + " likewise",
                         "`skillhost validate " + folder + "` names all"});
    for (const auto &[path, target] : links.asText)
      remarks.push_back({Health::Warning, about,
                         path + " is a link to " + target + " that git has written as a text",
                         "run git config core.symlinks true, and check it out again"});
  }
}

} // namespace skillhost::app
