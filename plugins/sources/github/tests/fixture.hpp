// SPDX-License-Identifier: Apache-2.0
// A repository made by git itself, a host that lends what a plugin needs, and the source under test
// driven through its C functions.
#pragma once

#include "github/source.hpp"

#include <atomic>
#include <filesystem>
#include <map>

namespace skillhost::github::test {

// A fresh folder, removed with all it holds.
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

// Runs it without a shell and returns what it printed; throws std::runtime_error when it fails.
std::string run(const std::vector<std::string> &command);

class Repository {
public:
  Repository();

  void write(const std::string &path, const std::string &text) const; // makes the folders too
  void skill(const std::string &folder) const;                        // a small SKILL.md
  void link(const std::string &target, const std::string &path) const;
  void remove(const std::string &path) const;
  std::string git(const std::vector<std::string> &arguments) const;
  std::string commit() const; // everything; its id
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
  bool logged(const std::string &text);      // does a line of the log hold it?
  bool awaitLogged(const std::string &text); // within 100 s, which only a busy machine needs
  void awaitChanged();                       // throws std::runtime_error after 100 s
  double metric(const std::string &name);    // counted or last set
  std::string everything();                  // all that was logged

private:
  struct Sides; // what the C structures lead back to

  std::unique_ptr<Sides> sides_;
  std::unique_ptr<GithubSource> source_;
};

// {"url": <the repository's path>, <more>}
std::string configured(const Repository &repository, const std::string &more = "");

} // namespace skillhost::github::test
