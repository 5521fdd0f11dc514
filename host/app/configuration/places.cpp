// SPDX-License-Identifier: Apache-2.0
#include "configuration/places.hpp"

#include "commandline/suggest.hpp"
#include "settings/secrets.hpp"

namespace skillhost::app {
namespace {

constexpr std::string_view folderKeys = "skills_dirs=";

// Returns the place of the setting, or of the nearest setting around it; empty if neither was
// written.
std::string placeOf(const Configuration &configuration, const std::string &key,
                    const std::string &setting) {
  for (std::string path = key + '.' + setting;; path.resize(path.find_last_of(".["))) {
    const auto found = configuration.places.find(path);
    if (found != configuration.places.end()) return found->second;
    if (path.size() <= key.size()) return {};
  }
}

std::string hintFor(const SettingProblem &problem) {
  if (problem.known.empty()) return {};
  std::string hint = didYouMean(problem.word, problem.known);
  // The message for a wrong choice already lists the possible values.
  if (!hint.empty() || problem.why.starts_with("expected ")) return hint;
  std::string text = "; known here: ";
  for (const std::string &one : problem.known)
    text += (&one == problem.known.data() ? "" : ", ") + one;
  return text;
}

std::string problemLine(const Configuration &configuration, const std::string &key,
                        const SettingProblem &problem) {
  const std::string place = placeOf(configuration, key, problem.setting);
  std::string text = place.empty() ? place : place + ": ";
  if (!key.starts_with(folderKeys))
    text += key + '.' + problem.setting + ": ";
  else if (!place.starts_with("--") && !place.starts_with("SKILLHOST_"))
    text += "skills_dirs: ";
  return text + problem.why + hintFor(problem);
}

} // namespace

std::string folderKey(std::string_view folder) { return std::string(folderKeys).append(folder); }

std::string located(const Configuration &configuration, const std::string &key,
                    const SettingProblems &problems) {
  std::string text;
  for (const SettingProblem &problem : problems)
    text += (text.empty() ? "" : "\n") + problemLine(configuration, key, problem);
  return settings::masked(Json(text), configuration.secrets).get<std::string>();
}

} // namespace skillhost::app
