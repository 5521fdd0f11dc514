// SPDX-License-Identifier: Apache-2.0
#include "state_file.hpp"

#include "files/whole_file.hpp"
#include "ground/hexadecimal.hpp"
#include "ground/json.hpp"
#include "ground/sha256.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace skillhost::github {
namespace {

constexpr int stateVersion = 1;

MarketplaceCommit readMarketplace(const nlohmann::json &from) {
  MarketplaceCommit one;
  one.plugin.name = from.at("name").get<std::string>();
  one.plugin.url = from.at("url").get<std::string>();
  one.plugin.ref = from.at("ref").get<std::string>();
  one.plugin.sha = from.at("sha").get<std::string>();
  one.plugin.subpath = from.at("path").get<std::string>();
  one.plugin.folders = from.at("folders").get<std::vector<std::string>>();
  one.commit = from.at("commit").get<std::string>();
  one.fetched = from.value("fetched", std::int64_t{0});
  return one;
}

Json written(const MarketplaceCommit &one) {
  return {{"name", one.plugin.name}, {"url", one.plugin.url},      {"ref", one.plugin.ref},
          {"sha", one.plugin.sha},   {"path", one.plugin.subpath}, {"folders", one.plugin.folders},
          {"commit", one.commit},    {"fetched", one.fetched}};
}

} // namespace

std::string State::commits() const {
  std::string name = commit;
  std::string leftOut;
  for (const MarketplaceCommit &one : marketplace) {
    if (one.commit.empty()) {
      leftOut += "+-";
      continue;
    }
    name += leftOut + "+" + one.commit;
    leftOut.clear();
  }
  return name;
}

std::string State::snapshot() const {
  std::string files;
  for (const auto &[pointer, file] : lfs)
    if (!file.empty()) files += pointer + file;
  return commits() + (files.empty() ? "" : "~" + sha256Hex(files).substr(0, 16));
}

std::string_view commitsIn(std::string_view snapshot) {
  return snapshot.substr(0, snapshot.find('~'));
}

std::optional<std::vector<std::string>> commitsOf(std::string_view snapshot) {
  snapshot = commitsIn(snapshot);
  std::vector<std::string> commits;
  for (;;) {
    const std::size_t plus = snapshot.find('+');
    const std::string_view part = snapshot.substr(0, plus);
    const bool isLeftOut = part == "-" && !commits.empty();
    if (!isLeftOut && !isObjectId(part)) return std::nullopt;
    commits.emplace_back(isLeftOut ? std::string_view{} : part);
    if (plus == snapshot.npos) return commits;
    snapshot.remove_prefix(plus + 1);
  }
}

bool isObjectId(std::string_view text) { return isHexadecimal(text, 40); }

std::optional<State> readState(const std::string &path, const std::string &url) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const nlohmann::json read = nlohmann::json::parse(text, nullptr, false);
  try {
    if (read.at("version") != stateVersion || read.at("url") != url) return {};
    State state{url, read.at("ref").get<std::string>(), read.at("commit").get<std::string>(),
                read.at("checked").get<std::int64_t>()};
    state.tree = read.value("tree", "");
    state.tag = read.value("tag", "");
    state.fetched = read.value("fetched", std::int64_t{0});
    state.absent = read.value("absent", state.absent);
    state.lfs = read.value("lfs", state.lfs);
    state.isLfsAnswered = read.value("lfs_answered", false);
    for (const auto &[pointer, file] : state.lfs)
      if (!isObjectId(pointer) || !(file.empty() || isObjectId(file))) return {};
    for (const nlohmann::json &one : read.value("foreign", nlohmann::json::array()))
      state.marketplace.push_back(readMarketplace(one));
    const bool isWhole =
        commitsOf(state.snapshot()) && (state.tree.empty() || isObjectId(state.tree));
    return isWhole ? std::optional(std::move(state)) : std::nullopt;
  } catch (const nlohmann::json::exception &) {
    return {}; // an unreadable file counts as missing
  }
}

void writeState(const std::string &path, const State &state) {
  Json text{{"version", stateVersion},
            {"url", state.url},
            {"ref", state.ref},
            {"commit", state.commit},
            {"checked", state.checked}};
  if (!state.tree.empty()) text["tree"] = state.tree;
  if (!state.tag.empty()) text["tag"] = state.tag;
  if (state.fetched != 0) text["fetched"] = state.fetched;
  if (!state.absent.empty()) text["absent"] = state.absent;
  if (!state.lfs.empty()) text["lfs"] = state.lfs;
  if (state.isLfsAnswered) text["lfs_answered"] = true;
  for (const MarketplaceCommit &one : state.marketplace) text["foreign"].push_back(written(one));
  files::writeFile(path, text.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
                   Flush::Now);
}

} // namespace skillhost::github
