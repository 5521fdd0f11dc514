// SPDX-License-Identifier: Apache-2.0
#include "list.hpp"

#include "embedding/installed_models.hpp"
#include "ground/json.hpp"
#include "ground/shown.hpp"
#include "model_state.hpp"
#include "pinned_model.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <stdexcept>

namespace skillhost::model {
namespace {

using Kind = ModelState::Kind;

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

int listModels(const std::vector<std::string> &places, const std::vector<std::string> &folders,
               bool json) {
  const embedding::InstalledModels installed = embedding::installedModels(places);
  std::vector<std::string> all = installed.folders;
  const std::string used = all.empty() ? std::string() : all.front();
  all.insert(all.end(), folders.begin(), folders.end());
  for (const std::string &problem : installed.problems)
    printShown(stderr, "skillhost: %s\n", problem.c_str());
  bool isGood = installed.problems.empty();
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
      if (folder == used) row["used"] = true;
      if (!state.problems.empty()) row["problems"] = state.problems;
      rows.push_back(std::move(row));
      continue;
    }
    printShown(stdout, "%s\n  %.1f MB, %s\n", folder.c_str(),
               static_cast<double>(state.bytes) / 1e6,
               failure.empty() ? wordsFor(state).c_str() : "unreadable");
    for (const std::string &problem : state.problems) printShown(stdout, "  %s\n", problem.c_str());
    if (folder == used)
      printShown(stdout, "  used, unless the configuration names another model\n");
  }
  std::string searched;
  for (const std::string &place : places) searched += (searched.empty() ? "" : ", ") + place;
  if (json)
    printJsonText(stdout, rows.dump(2, ' ', false, Json::error_handler_t::replace));
  else if (all.empty())
    printShown(stdout, "no model in %s: `skillhost model fetch` gets one\n", searched.c_str());
  return isGood ? 0 : 1;
}

} // namespace skillhost::model
