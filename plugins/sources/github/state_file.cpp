// SPDX-License-Identifier: Apache-2.0
#include "state_file.hpp"

#include "durable_file.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace skillhost::github {
namespace {

constexpr int stateVersion = 1;

} // namespace

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
    const bool isId = state.commit.size() == 40 &&
                      state.commit.find_first_not_of("0123456789abcdef") == std::string::npos;
    return isId ? std::optional(std::move(state)) : std::nullopt;
  } catch (const nlohmann::json::exception &) {
    return {}; // as if it were not there
  }
}

void writeState(const std::string &path, const State &state) {
  const nlohmann::ordered_json written{{"version", stateVersion},
                                       {"url", state.url},
                                       {"ref", state.ref},
                                       {"commit", state.commit},
                                       {"checked", state.checked}};
  replaceFile(path, written.dump(1) + "\n");
}

} // namespace skillhost::github
