// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace skillhost::github::test {
namespace {

std::string quoted(const std::string &word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

} // namespace

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "skillhost-git-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  root_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string Folder::at(const std::string &path) const {
  return path.empty() ? root_.string() : (root_ / path).string();
}

std::string run(const std::vector<std::string> &command) {
  std::string line;
  for (const std::string &word : command) line += quoted(word) + " ";
  FILE *const pipe = ::popen((line + "2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  if (::pclose(pipe) != 0) throw std::runtime_error(line + ": " + text);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

Repository::Repository() { git({"init", "-q", "-b", "trunk"}); }

std::string Repository::git(const std::vector<std::string> &arguments) const {
  std::vector<std::string> command{"git",
                                   "-C",
                                   path(),
                                   "-c",
                                   "user.name=t",
                                   "-c",
                                   "user.email=t@example.org",
                                   "-c",
                                   "core.quotePath=false",
                                   "-c",
                                   "protocol.file.allow=always"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command);
}

void Repository::write(const std::string &path, const std::string &text) const {
  std::filesystem::create_directories(std::filesystem::path(folder_.at(path)).parent_path());
  std::ofstream(folder_.at(path), std::ios::binary) << text;
}

void Repository::skill(const std::string &folder) const {
  const std::string name = folder.substr(folder.rfind('/') + 1);
  write((folder.empty() ? "" : folder + "/") + "SKILL.md",
        "---\nname: " + name + "\ndescription: Does " + name + ".\n---\nBody.\n");
}

void Repository::link(const std::string &target, const std::string &path) const {
  std::filesystem::create_directories(std::filesystem::path(folder_.at(path)).parent_path());
  std::filesystem::create_symlink(target, folder_.at(path));
}

void Repository::remove(const std::string &path) const {
  std::filesystem::remove_all(folder_.at(path));
}

std::string Repository::commit() const {
  git({"add", "-A"});
  git({"commit", "-q", "--allow-empty", "-m", "change"});
  return git({"rev-parse", "HEAD"});
}

std::string configured(const Repository &repository, const std::string &more) {
  return R"({"url": ")" + repository.path() + "\"" + (more.empty() ? "" : ", " + more) + "}";
}

std::vector<std::string> Listing::names() const {
  std::vector<std::string> all;
  for (const auto &[name, document] : documents) all.push_back(name);
  return all;
}

} // namespace skillhost::github::test
