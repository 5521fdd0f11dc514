// SPDX-License-Identifier: Apache-2.0
#include "commands/own_sources/origin.hpp"

#include "app/surroundings.hpp"
#include "configuration/paths.hpp"
#include "configuration/repository_page.hpp"
#include "configuration/secrets.hpp"
#include "ground/url.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

namespace skillhost::app {
namespace {

constexpr std::array<std::string_view, 4> gitHosts{"github.com", "gitlab.com", "codeberg.org",
                                                   "bitbucket.org"};

std::vector<std::string> segmentsOf(std::string_view path) {
  std::vector<std::string> out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) out.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return out;
}

// Takes "@ref" off the end; a ref may have slashes. `path` is where the path of the repository
// begins: what is before it may hold an @ of its own. A repository's path has two segments, unless
// the first ends with .git or there is no slash behind the @.
std::string takeRef(std::string &word, std::size_t path) {
  for (std::size_t at = word.find('@', path); at != std::string::npos;
       at = word.find('@', at + 1)) {
    const std::string_view before = std::string_view(word).substr(path, at - path);
    if (before.empty() || before.ends_with('/')) continue; // a name, such as @team
    if (segmentsOf(before).size() < 2 && !before.ends_with(".git") &&
        word.find('/', at) != std::string::npos)
      continue;
    std::string ref = word.substr(at + 1);
    word.erase(at);
    return ref;
  }
  return {};
}

// The same of a repository on this machine: any folder above it may have an @ in its name.
std::string takeRefOfFile(std::string &word) {
  constexpr std::size_t path = std::string_view("file://").size();
  std::error_code unknown;
  for (std::size_t at = word.size(); at != std::string::npos && at > path;
       at = word.rfind('@', at - 1)) {
    if (!std::filesystem::exists(word.substr(path, at - path), unknown)) continue;
    std::string ref = word.substr(std::min(at + 1, word.size()));
    word.erase(at);
    return ref;
  }
  return takeRef(word, path);
}

std::string withoutGit(std::string name) {
  if (name.ends_with(".git")) name.resize(name.size() - 4);
  return name;
}

Origin repository(std::string url, const std::string &ref, const std::string &folder) {
  const std::vector<std::string> parts = segmentsOf(folder.empty() ? url : folder);
  Origin origin{"github", {{"url", std::move(url)}}, withoutGit(parts.empty() ? "" : parts.back())};
  if (!folder.empty()) origin.config["subpath"] = folder;
  if (!ref.empty()) origin.config["ref"] = ref;
  return origin;
}

bool isWord(const std::string &text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
}

Result<Origin> ofAddress(std::string word, const std::string &plugin) {
  const auto parts = urlParts(word);
  const std::size_t path = parts ? parts->origin.size() : 0;
  const std::string name(parts ? parts->authority : std::string_view{});
  const bool web = plugin == "well_known" ||
                   (plugin.empty() && (segmentsOf(word.substr(path)).empty() ||
                                       word.find("/.well-known/", path) != std::string::npos));
  if (web) {
    word.resize(std::min(word.find("/.well-known/", path), word.size()));
    return Origin{"well_known", {{"url", word}}, name};
  }
  const RepositoryPage page = repositoryPage(word);
  if (!page.ref.empty()) return repository(page.url, page.ref, page.folder);
  const std::string ref = takeRef(word, path);
  const bool known = std::find(gitHosts.begin(), gitHosts.end(), name) != gitHosts.end();
  if (!known && plugin.empty() && !word.ends_with(".git") &&
      segmentsOf(word.substr(path)).size() < 2)
    return Failure{Fault::InvalidInput,
                   word + ": is it a git repository (--plugin github) or a web server with a "
                          "well-known index (--plugin well_known)?"};
  return repository(word, ref, "");
}

} // namespace

Result<Origin> originOf(const std::string &given, const std::string &plugin,
                        const std::string &workingDirectory, const std::string &home) {
  std::string word = given;
  if (word.starts_with("https://") || word.starts_with("http://")) return ofAddress(word, plugin);
  const bool scp = word.find('@') != std::string::npos && word.find(':') > word.find('@') &&
                   word.find(':') < std::min(word.find('/'), word.size());
  if (word.starts_with("file://")) {
    const std::string ref = takeRefOfFile(word);
    return repository(word, ref, "");
  }
  if (word.starts_with("ssh://") || scp) {
    const std::string ref = takeRef(word, scp ? word.find(':') + 1 : word.find('/', 6));
    return repository(word, ref, "");
  }
  Surroundings surroundings;
  if (!home.empty()) surroundings.variables["HOME"] = home;
  const std::string path = absolutePath(word, workingDirectory, surroundings);
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown) && plugin != "github")
    return Origin{
        "filesystem", {{"directories", {path}}}, std::filesystem::path(path).filename().string()};
  if (looksLikePath(word) || word.starts_with('/')) {
    if (plugin == "github") return repository(path, "", "");
    return Failure{Fault::NotFound, path + ": there is no such folder"};
  }
  const std::string ref = takeRef(word, 0);
  const std::vector<std::string> parts = segmentsOf(word);
  if (parts.size() < 2 || !isWord(parts[0]) || !isWord(parts[1]))
    return Failure{
        Fault::InvalidInput,
        '"' + given +
            "\" is no folder here; write OWNER/REPO, a URL, or a folder such as ./skills"};
  std::string folder;
  for (std::size_t i = 2; i < parts.size(); ++i) folder += (folder.empty() ? "" : "/") + parts[i];
  return repository(parts[0] + '/' + parts[1], ref, folder);
}

Status makeLiteral(Json &config) {
  if (config.is_string()) {
    Result<std::string> text = writtenLiterally(config.get<std::string>());
    if (!text) return std::move(text).failure();
    config = *std::move(text);
  }
  if (config.is_structured())
    for (Json &part : config)
      if (Status done = makeLiteral(part); !done) return done;
  return Done{};
}

std::string originInWords(const Json &config) {
  const auto text = [&](const char *key) {
    const auto found = config.find(key);
    return found != config.end() && found->is_string() ? found->get<std::string>() : std::string{};
  };
  std::string out = text("url");
  if (const std::string folder = text("subpath"); !folder.empty()) out += '/' + folder;
  if (const std::string ref = text("ref"); !ref.empty()) out += '@' + ref;
  if (const std::string pin = text("pin"); !pin.empty()) out += " at " + pin.substr(0, 12);
  if (const auto folders = config.find("directories");
      folders != config.end() && folders->is_array())
    for (const Json &one : *folders)
      if (one.is_string()) out += (out.empty() ? "" : ", ") + one.get<std::string>();
  return out;
}

} // namespace skillhost::app
