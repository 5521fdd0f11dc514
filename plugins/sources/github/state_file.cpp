// SPDX-License-Identifier: Apache-2.0
#include "state_file.hpp"

#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace skillhost::github {
namespace {

constexpr int stateVersion = 1;

// A file or folder that is open until the end of its scope; fails by exception.
class StateDescriptor {
public:
  StateDescriptor(const std::string &path, int flags)
      : path_(path), number_(::open(path.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    if (number_ < 0) fail();
  }
  ~StateDescriptor() { ::close(number_); }
  StateDescriptor(const StateDescriptor &) = delete;
  StateDescriptor &operator=(const StateDescriptor &) = delete;

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(number_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void flush() const {
    if (::fsync(number_) != 0) fail();
  }

private:
  [[noreturn]] void fail() const {
    throw skh::Error(SKH_UNAVAILABLE, path_ + ": cannot be written: " + std::strerror(errno));
  }

  const std::string &path_;
  int number_;
};

} // namespace

bool isObjectId(const std::string &text) {
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::optional<State> readState(const std::string &path, const std::string &url,
                               const std::string &ref) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const nlohmann::json read = nlohmann::json::parse(text, nullptr, false);
  try {
    if (read.at("version") != stateVersion || read.at("url") != url || read.at("ref") != ref)
      return {};
    State state{url, ref, read.at("commit").get<std::string>(),
                read.at("checked").get<std::int64_t>()};
    state.tree = read.value("tree", "");
    state.tag = read.value("tag", "");
    state.absent = read.value("absent", state.absent);
    const bool isWhole = isObjectId(state.commit) && (state.tree.empty() || isObjectId(state.tree));
    return isWhole ? std::optional(std::move(state)) : std::nullopt;
  } catch (const nlohmann::json::exception &) {
    return {}; // as if it were not there
  }
}

void writeState(const std::string &path, const State &state) {
  nlohmann::ordered_json written{{"version", stateVersion},
                                 {"url", state.url},
                                 {"ref", state.ref},
                                 {"commit", state.commit},
                                 {"checked", state.checked}};
  if (!state.tree.empty()) written["tree"] = state.tree;
  if (!state.tag.empty()) written["tag"] = state.tag;
  if (!state.absent.empty()) written["absent"] = state.absent;
  writeDurably(path, written.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void writeDurably(const std::string &path, const std::string &text) {
  const std::string beside = path + ".new";
  {
    const StateDescriptor file(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    file.write(text);
    file.flush();
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0)
    throw skh::Error(SKH_UNAVAILABLE, path + ": cannot be written: " + std::strerror(errno));
  const std::string above = path.substr(0, path.rfind('/'));
  const StateDescriptor folder(above, O_RDONLY | O_DIRECTORY);
  folder.flush();
}

} // namespace skillhost::github
