// SPDX-License-Identifier: Apache-2.0
// A repository created by git, a minimal host for the plugin, and the source under test, called
// through its C functions.
#pragma once

#include "github/source.hpp"

#include <atomic>
#include <filesystem>
#include <map>

namespace skillhost::github::test {

// A new folder that is removed with its content.
class Folder {
public:
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::string at(const std::string &path = "") const;

private:
  std::filesystem::path root_;
};

// Runs a program without a shell and returns its output. Throws std::runtime_error if it fails.
std::string run(const std::vector<std::string> &command);

class Repository {
public:
  Repository();

  void write(const std::string &path, const std::string &text) const; // also creates the folders
  void skill(const std::string &folder) const;                        // writes a small SKILL.md
  void link(const std::string &target, const std::string &path) const;
  void remove(const std::string &path) const;
  std::string git(const std::vector<std::string> &arguments) const;
  std::string commit() const; // commits everything and returns the id
  std::string path() const { return folder_.at(); }

private:
  Folder folder_;
};

struct Listed {
  std::string revision, location;
  std::uint64_t length = 0;
  std::uint32_t flags = 0;
};

struct Listing {
  skh_status status = SKH_OK;
  std::map<std::string, Listed> documents; // by "skill:path"
  std::string snapshot;
  std::vector<std::string> names() const;
};

class Instance {
public:
  // `configuration` is the JSON object of the instance.
  Instance(const std::string &configuration, std::string cache);
  ~Instance();
  Instance(const Instance &) = delete;
  Instance &operator=(const Instance &) = delete;

  Listing list();
  Listing changes(const std::string &since);
  skh_status read(const std::string &name, const std::string &revision, std::string &bytes);
  std::string failure();                     // the last message of fail()
  bool logged(const std::string &text);      // true if a line of the log contains the text
  bool awaitLogged(const std::string &text); // waits up to 100 s, which only a busy machine needs
  void awaitChanged();                       // throws std::runtime_error after 100 s
  double metric(const std::string &name);    // counted value or last gauge
  std::string everything();                  // all logged lines

private:
  struct Sides; // the objects behind the C structures

  std::unique_ptr<Sides> sides_;
  std::unique_ptr<GithubSource> source_;
};

// {"url": <the repository's path>, <more>}
std::string configured(const Repository &repository, const std::string &more = "");

} // namespace skillhost::github::test
