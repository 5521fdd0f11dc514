// SPDX-License-Identifier: Apache-2.0
// A temporary tree of real files, a minimal host for the plugin, and the source under test, called
// through its C functions.
#pragma once

#include "filesystem/source.hpp"

#include <filesystem>
#include <map>
#include <utility>

namespace skillhost::filesystem::test {

// A new directory that is removed with its content. Paths are relative to it.
class Tree {
public:
  Tree();
  ~Tree();
  Tree(const Tree &) = delete;
  Tree &operator=(const Tree &) = delete;

  std::string at(const std::string &path = "") const;
  void write(const std::string &path, const std::string &text) const; // also creates the folders
  void skill(const std::string &folder) const;                        // writes a small SKILL.md
  void link(const std::string &target, const std::string &path) const;
  void remove(const std::string &path) const;
  void rename(const std::string &from, const std::string &to) const;

private:
  std::filesystem::path root_;
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
  int repeated = 0; // number of documents listed twice

  std::vector<std::string> names() const; // sorted, as "skill:path"
};

struct ReadBack {
  skh_status status = SKH_OK;
  std::string bytes;
};

class Instance {
public:
  // `more` is appended after the directories: ", \"watch\": \"off\"". Throws what the constructor
  // throws.
  Instance(const std::vector<std::string> &directories, const std::string &more);
  explicit Instance(const Tree &tree, const std::string &more = R"(,"watch":"off")");
  ~Instance();

  Listing list();
  Listing changes(const std::string &since);
  ReadBack read(const std::string &name, const std::string &revision); // "skill:path"
  void cancel() { cancelled_ = true; }
  std::string failure();                                           // the last message of fail()
  std::vector<std::pair<std::uint64_t, std::uint64_t>> progress(); // pairs of done and total
  int warnings(const std::string &holding); // number of log lines that contain the text

  // Waits for hints of changed() until changes(since) gives a result for which `enough` returns
  // true. Returns false after 100 seconds, which only a busy machine needs. The first `heard` hints
  // do not count.
  bool awaitChange(const std::string &since, const std::function<bool(const Listing &)> &enough,
                   int heard = 0);
  int hints();

private:
  struct Sides; // the objects behind the C structures

  std::unique_ptr<Sides> sides_;
  std::atomic<bool> cancelled_ = false;
  std::unique_ptr<FilesystemSource> source_;
};

} // namespace skillhost::filesystem::test
