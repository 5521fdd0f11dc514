// SPDX-License-Identifier: Apache-2.0
#include "list.hpp"

#include "ground/json.hpp"
#include "ground/shown.hpp"
#include "model_state.hpp"
#include "pinned_model.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace skillhost::model {
namespace {

namespace fs = std::filesystem;
using Kind = ModelState::Kind;

std::vector<std::string> foldersIn(const std::string &models) {
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry &each : fs::directory_iterator(models, error))
    // A folder whose name begins with a dot is still being fetched.
    if (each.is_directory(error) && !each.path().filename().string().starts_with('.'))
      found.push_back(each.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

std::string wordsFor(const ModelState &state) {
  switch (state.kind) {
  case Kind::Intact:
    return std::string(state.model->name) + ", digests right";
  case Kind::Damaged:
    return std::string(state.model->name) + ", damaged: `skillhost model fetch --model " +
           std::string(state.model->key) + "` mends it";
  case Kind::Missing:
    return "there is no model";
  case Kind::Other:
    break;
  }
  return "not fetched by skillhost: `skillhost model check` reads it";
}

} // namespace

int listModels(const std::string &models, const std::vector<std::string> &folders, bool json) {
  std::vector<std::string> all = models.empty() ? std::vector<std::string>{} : foldersIn(models);
  all.insert(all.end(), folders.begin(), folders.end());
  bool isGood = true;
  Json rows = Json::array();
  for (const std::string &folder : all) {
    ModelState state;
    std::string failure;
    try {
      state = stateOf(folder);
      if (state.kind == Kind::Other) state.bytes = bytesBelow(folder);
    } catch (const std::runtime_error &why) {
      failure = why.what();
    }
    if (!failure.empty()) state.problems = {failure};
    isGood =
        isGood && failure.empty() && state.kind != Kind::Damaged && state.kind != Kind::Missing;
    if (json) {
      Json row{{"folder", folder},
               {"state", failure.empty() ? nameOf(state.kind) : "unreadable"},
               {"bytes", state.bytes}};
      if (failure.empty() && (state.kind == Kind::Intact || state.kind == Kind::Damaged))
        row["model"] = state.model->name;
      if (!state.problems.empty()) row["problems"] = state.problems;
      rows.push_back(std::move(row));
      continue;
    }
    printShown(stdout, "%s\n  %.1f MB, %s\n", folder.c_str(),
               static_cast<double>(state.bytes) / 1e6,
               failure.empty() ? wordsFor(state).c_str() : "unreadable");
    for (const std::string &problem : state.problems) printShown(stdout, "  %s\n", problem.c_str());
  }
  if (json)
    printJsonText(stdout, rows.dump(2, ' ', false, Json::error_handler_t::replace));
  else if (all.empty())
    printShown(stdout, "no model in %s: `skillhost model fetch` gets one\n", models.c_str());
  return isGood ? 0 : 1;
}

} // namespace skillhost::model
