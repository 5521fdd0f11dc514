// SPDX-License-Identifier: Apache-2.0
#include "state_file.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/json.hpp"
#include "oci/digest.hpp"
#include "paths/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost::oci_source {
namespace {

using StateJson = Json;

constexpr int stateVersion = 1;

// Thrown if a value has the right type but is not possible.
struct Impossible {};

StoredSkill readSkill(const StateJson &read) {
  StoredSkill skill{read.at("folder").get<std::string>(), {}};
  if (!skill.folder.empty() && !paths::servableBelow(skill.folder)) throw Impossible();
  for (const StateJson &one : read.at("documents")) {
    StoredDocument document{one.at(0).get<std::string>(), one.at(1).get<std::string>(),
                            one.at(2).get<std::uint64_t>(), one.at(3).get<std::uint32_t>()};
    if (!paths::servableBelow(document.path) || !isHexadecimal(document.revision, 64))
      throw Impossible();
    skill.documents.push_back(std::move(document));
  }
  const bool isSorted = std::is_sorted(
      skill.documents.begin(), skill.documents.end(),
      [](const StoredDocument &a, const StoredDocument &b) { return a.path < b.path; });
  if (!isSorted) throw Impossible();
  return skill;
}

ArtefactPointer readArtefact(const StateJson &read) {
  auto artefact = std::make_shared<Artefact>();
  const auto reference = oci::readReference(read.at("reference").get<std::string>());
  if (!reference) throw Impossible();
  artefact->reference = *reference;
  artefact->digest = read.at("digest").get<std::string>();
  artefact->layers = read.at("layers").get<std::vector<std::string>>();
  artefact->signer = read.value("signer", "");
  artefact->fetched = read.value("fetched", std::int64_t{0});
  const bool isRight = oci::isDigest(artefact->digest) &&
                       std::all_of(artefact->layers.begin(), artefact->layers.end(),
                                   [](const std::string &one) { return oci::isDigest(one); });
  if (!isRight) throw Impossible();
  for (const StateJson &one : read.at("skills")) artefact->skills.push_back(readSkill(one));
  return artefact;
}

} // namespace

std::optional<State> readState(const std::string &text, const std::string &origin) {
  const StateJson read = StateJson::parse(text, nullptr, false);
  try {
    if (read.at("version") != stateVersion || read.at("origin") != origin) return {};
    State state{origin, read.at("checked").get<std::int64_t>(), {}};
    for (const StateJson &one : read.at("artefacts")) state.artefacts.push_back(readArtefact(one));
    return state;
  } catch (const StateJson::exception &) {
    return {}; // an unreadable file counts as missing
  } catch (const Impossible &) {
    return {};
  }
}

std::string writeState(const State &state) {
  StateJson artefacts = StateJson::array();
  for (const ArtefactPointer &artefact : state.artefacts) {
    StateJson skills = StateJson::array();
    for (const StoredSkill &skill : artefact->skills) {
      StateJson documents = StateJson::array();
      for (const StoredDocument &document : skill.documents)
        documents.push_back(
            StateJson::array({document.path, document.revision, document.size, document.flags}));
      skills.push_back({{"folder", skill.folder}, {"documents", std::move(documents)}});
    }
    artefacts.push_back({{"reference", artefact->reference.text()},
                         {"digest", artefact->digest},
                         {"layers", artefact->layers},
                         {"signer", artefact->signer},
                         {"fetched", artefact->fetched},
                         {"skills", std::move(skills)}});
  }
  const StateJson written{{"version", stateVersion},
                          {"origin", state.origin},
                          {"checked", state.checked},
                          {"artefacts", std::move(artefacts)}};
  return written.dump() + "\n";
}

} // namespace skillhost::oci_source
