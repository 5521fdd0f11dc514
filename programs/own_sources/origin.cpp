// SPDX-License-Identifier: Apache-2.0
#include "origin.hpp"

#include "app/surroundings.hpp"
#include "base/repository_page.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/url.hpp"
#include "settings/paths.hpp"
#include "settings/secrets.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

namespace skillhost::app {
namespace {

constexpr std::string_view defaultIndex = "/.well-known/agent-skills/index.json";

std::vector<std::string> segmentsOf(std::string_view path) {
  std::vector<std::string> out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) out.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return out;
}

// Removes "@ref" from the end and returns it; a ref may have slashes. `path` is the position of the
// repository's path, because the text before it may contain an @. A repository's path has two
// segments, unless the first ends with .git or no slash follows the @.
std::string takeRef(std::string &word, std::size_t path) {
  for (std::size_t at = word.find('@', path); at != std::string::npos;
       at = word.find('@', at + 1)) {
    const std::string_view before = std::string_view(word).substr(path, at - path);
    if (before.empty() || before.ends_with('/')) continue; // part of a name, such as @team
    if (segmentsOf(before).size() < 2 && !before.ends_with(".git") &&
        word.find('/', at) != std::string::npos)
      continue;
    std::string ref = word.substr(at + 1);
    word.erase(at);
    return ref;
  }
  return {};
}

// Does the same for a local repository, where any folder above it may have an @ in its name.
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

// Returns a web server's index. If it is not at the plugin's default place, its whole address is
// used.
Origin webServer(std::string url, const std::string &host) {
  url.resize(std::min(url.find('#'), url.size()));
  const std::string whole = url.substr(0, url.find('?'));
  if (!whole.ends_with(".json") || whole.ends_with(defaultIndex))
    url = whole.substr(0, whole.find("/.well-known/", host.size()));
  return Origin{"well_known", {{"url", std::move(url)}}, host};
}

Result<Origin> ofAddress(const std::string &address, const std::string &plugin) {
  const RepositoryPage page = repositoryPage(address);
  std::string word = page.url;
  const auto parts = urlParts(word);
  const std::size_t path = parts ? parts->origin.size() : 0;
  const std::string name(parts ? parts->authority : std::string_view{});
  const bool isIndex = word.ends_with(".json") && !isKnownGitHost(name);
  if (plugin == "well_known" ||
      (plugin.empty() && (segmentsOf(word.substr(path)).empty() || isIndex ||
                          word.find("/.well-known/", path) != std::string::npos)))
    return webServer(address, name);
  if (!page.problem.empty())
    return Failure{Fault::InvalidInput,
                   '"' + address.substr(0, address.find_first_of("?#")) + "\": " + page.problem};
  // These hosts redirect http:// to https://.
  if (isKnownGitHost(name) && word.starts_with("http://")) word.insert(4, "s");
  if (!page.ref.empty()) {
    Origin origin = repository(word, page.ref, page.folder);
    origin.mayRefContinue = page.mayRefContinue;
    return origin;
  }
  const std::string ref = takeRef(word, std::min(word.find('/', 8), word.size()));
  if (!isKnownGitHost(name) && plugin.empty() && !word.ends_with(".git") &&
      segmentsOf(word.substr(path)).size() < 2)
    return Failure{Fault::InvalidInput,
                   word + ": is it a git repository (--plugin github) or a web server with a "
                          "well-known index (--plugin well_known)?"};
  return repository(word, ref, "");
}

bool holdsSkill(const std::filesystem::path &folder) {
  std::error_code unknown;
  return std::filesystem::exists(folder / "SKILL.md", unknown) ||
         std::filesystem::exists(folder / "skill.md", unknown);
}

// Returns true if the folder, or one at most two levels below it, holds a skill.
bool holdsSkills(const std::filesystem::path &folder, int levels = 2) {
  if (holdsSkill(folder)) return true;
  std::error_code unknown;
  for (std::filesystem::directory_iterator at(folder, unknown), end;
       levels > 0 && !unknown && at != end; at.increment(unknown))
    if (std::error_code no; at->is_directory(no) && holdsSkills(at->path(), levels - 1))
      return true;
  return false;
}

// Returns true if the folder holds only entries that git writes into a bare repository, or that
// servers put beside them.
bool holdsGitAlone(const std::string &path) {
  constexpr std::array<std::string_view, 24> entries{
      "HEAD",           "config",      "description", "hooks",  "info",     "objects",
      "refs",           "packed-refs", "branches",    "logs",   "shallow",  "FETCH_HEAD",
      "ORIG_HEAD",      "worktrees",   "modules",     "gc.log", "gc.pid",   "config.worktree",
      "COMMIT_EDITMSG", "index",       "rr-cache",    "lfs",    "reftable", "git-daemon-export-ok"};
  std::error_code unknown;
  for (std::filesystem::directory_iterator at(path, unknown), end; !unknown && at != end;
       at.increment(unknown)) {
    const std::string name = at->path().filename().string();
    if (std::find(entries.begin(), entries.end(), name) == entries.end() &&
        !name.ends_with(".lock"))
      return false;
  }
  return !unknown;
}

// Returns true for a folder made by `git init --bare` or `git clone --mirror`. A work tree counts
// as a plain folder, and so does a folder of skills with the same entries: otherwise its reader
// would get the skills of a repository instead.
bool isBareRepository(const std::string &path) {
  std::error_code unknown;
  return std::filesystem::is_regular_file(path + "/HEAD", unknown) &&
         std::filesystem::is_directory(path + "/objects", unknown) &&
         std::filesystem::is_directory(path + "/refs", unknown) &&
         (path.ends_with(".git") || holdsGitAlone(path)) && !holdsSkills(path);
}

Origin folderOf(const std::string &path) {
  return Origin{
      "filesystem", {{"directories", {path}}}, std::filesystem::path(path).filename().string()};
}

// Reads `path` on this machine. The plugin is empty if nothing is there.
Result<Origin> ofPath(const std::string &path, const std::string &plugin) {
  if (const std::string wrong = settings::problemUnlessUtf8(path); !wrong.empty())
    return Failure{Fault::InvalidInput, path + wrong};
  std::string url = "file://" + path;
  const std::string ref = takeRefOfFile(url);
  const std::string plain = url.substr(std::string_view("file://").size());
  if (plugin == "github" || (plugin.empty() && isBareRepository(plain)))
    return repository(plain, ref, "");
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) return folderOf(path);
  if (!std::filesystem::exists(path, unknown)) return Origin{};
  const std::filesystem::path file(path);
  if (file.filename() == "SKILL.md" || file.filename() == "skill.md")
    return folderOf(file.parent_path().string());
  return Failure{Fault::InvalidInput,
                 path + ": is a file; name the folder of a skill or of skills"};
}

} // namespace

Result<Origin> originOf(const std::string &address, const std::string &plugin,
                        const std::string &workingDirectory, const std::string &home) {
  std::string word = address;
  // The message does not repeat the URL, which may hold a password.
  if (settings::maskedUrl(word) != word)
    return Failure{Fault::InvalidInput,
                   "the URL holds a name or a password: write it without, and name the variable "
                   "that holds the token with --token-env"};
  if (const std::string wrong = settings::problemUnlessUtf8(word); !wrong.empty())
    return Failure{Fault::InvalidInput, word + wrong};
  if (plugin == "filesystem") {
    Surroundings known;
    if (!home.empty()) known.variables["HOME"] = home;
    const std::string path = absolutePath(word, workingDirectory, known);
    Result<Origin> found = ofPath(path, plugin);
    if (!found || !found->plugin.empty()) return found;
    return Failure{Fault::NotFound, path + ": there is no such folder"};
  }
  if (word.starts_with("git://")) {
    const std::string host = word.substr(6, std::min(word.find('/', 6), word.size()) - 6);
    if (!isKnownGitHost(host))
      return Failure{Fault::InvalidInput,
                     word + ": git:// is neither encrypted nor signed, and is not spoken; write "
                            "https:// or ssh://"};
    word.replace(0, 3, "https");
  }
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
  const bool isPath = settings::looksLikePath(word) || word.starts_with('/');
  std::error_code unknown;
  if (isPath || (std::filesystem::exists(path, unknown) && plugin != "github")) {
    Result<Origin> found = ofPath(path, plugin);
    if (!found || !found->plugin.empty()) return found;
    return Failure{Fault::NotFound, path + ": there is no such folder"};
  }
  // An owner on GitHub has no dot in its name, so this is a host, as a browser shows it. For an
  // unknown host the user must write https://.
  if (const std::string host = word.substr(0, word.find('/'));
      host.size() < word.size() && !host.starts_with('.') && host.find('.') != std::string::npos &&
      isWord(host)) {
    if (!isKnownGitHost(host) && host != "raw.githubusercontent.com")
      return Failure{Fault::InvalidInput, '"' + word +
                                              "\" is no folder here; if it is an address, write "
                                              "https:// before it"};
    return ofAddress("https://" + word, plugin);
  }
  const std::string ref = takeRef(word, 0);
  const std::vector<std::string> parts = segmentsOf(word);
  if (parts.size() < 2 || !isWord(parts[0]) || !isWord(parts[1]))
    return Failure{
        Fault::InvalidInput,
        '"' + address +
            "\" is no folder here; write OWNER/REPO, a URL, or a folder such as ./skills"};
  std::string folder;
  for (std::size_t i = 2; i < parts.size(); ++i) folder += (folder.empty() ? "" : "/") + parts[i];
  return repository(parts[0] + '/' + parts[1], ref, folder);
}

std::vector<Origin> interpretationsOf(const Origin &origin) {
  if (!origin.mayRefContinue) return {origin};
  constexpr std::size_t maxSegments = 5; // of a ref: each reading costs a request
  const std::string path =
      origin.config["ref"].get<std::string>() + '/' + origin.config["subpath"].get<std::string>();
  std::vector<Origin> readings;
  std::size_t end = 0;
  for (const std::string_view prefix : {"refs/heads/", "refs/tags/"})
    if (path.starts_with(prefix)) end = prefix.size();
  end = path.find('/', end);
  for (std::size_t i = 0; i < maxSegments; ++i) {
    readings.push_back(repository(origin.config["url"].get<std::string>(), path.substr(0, end),
                                  path.substr(std::min(end + 1, path.size()))));
    if (end == path.size()) break;
    end = std::min(path.find('/', end + 1), path.size());
  }
  std::reverse(readings.begin(), readings.end());
  return readings;
}

std::string wholeRef(const std::string &ref, const std::string &revision) {
  constexpr std::size_t digits = 40, fewest = 7;
  const std::string commit = revision.substr(0, digits);
  const bool isPart = ref.size() >= fewest && commit.starts_with(ref);
  return isPart && isHexadecimal(commit, digits) ? commit : ref;
}

Status makeLiteral(Json &config) {
  if (config.is_string()) {
    Result<std::string> text = settings::writtenLiterally(config.get<std::string>());
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
  std::string out = settings::maskedUrl(text("url"));
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
