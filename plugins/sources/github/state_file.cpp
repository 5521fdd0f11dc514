// SPDX-License-Identifier: Apache-2.0
#include "state_file.hpp"

#include "files/whole_file.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace skillhost::github {
namespace {

constexpr int stateVersion = 1;

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
  files::writeFile(path,
                   written.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
                   files::Flush::now);
}

} // namespace skillhost::github
