// SPDX-License-Identifier: Apache-2.0
#include "mirror.hpp"

#include "ground/time_reading.hpp"
#include "http_client/signal_guard.hpp"
#include "oci/digest.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace skillhost::oci_source {

struct Mirror::RefreshState {
  std::vector<ArtefactPointer> artefacts;
  std::size_t wanted = 0;            // number of artefacts, and of lists that could not be read
  std::set<std::string> unrefreshed; // artefacts from such a list, which stay as they were
  // Number of failed artefacts, and how many of them by 401 and 403.
  std::size_t failed = 0, refused = 0;
  bool isComplete = true; // the round was completed
  std::string firstFailure;
  struct LeftOut {
    std::string reference, why;
    bool isServed = false; // the previous version is served
  };
  std::vector<LeftOut> left; // artefacts that cannot be served because of their content
  // The shortest pause that a failed registry asked for. Each registry has its own pause, so this
  // is when the first of them may be asked again.
  std::optional<std::chrono::seconds> shortestWait;

  // True if all artefacts were left out because of their content.
  bool isAllLeftOut() const { return failed == 0 && left.size() == wanted && !left.empty(); }
  void fail(const remote::RemoteError &error, const std::string &of = {}) {
    if (++failed == 1) firstFailure = of + error.what();
    if (error.status() == SKH_DENIED) ++refused;
    shortestWait = failed == 1 ? error.retryAfter() : std::min(shortestWait, error.retryAfter());
  }
};

Mirror::Mirror(skh::Host host, const Settings &settings, History &history)
    : SnapshotMirror(host, history), settings_(settings),
      userAgent_(std::string(host.name()) + "/" + std::string(host.version())), folder_(host),
      registries_(settings, userAgent_), findings_(host) {
  state_.origin = settings.origin;
}

void Mirror::load() {
  std::optional<State> last = readState(folder_.state(), settings_.origin);
  if (!last) return;
  const bool wasEmpty = last->artefacts.empty();
  std::erase_if(last->artefacts, [&](const ArtefactPointer &one) { return !isComplete(*one); });
  if (last->artefacts.empty() && !wasEmpty) return;
  SnapshotPointer snapshot = makeSnapshot(last->artefacts, settings_);
  if (!settings_.pinned.empty() && snapshot->id != settings_.pinned) return;
  state_ = *std::move(last);
  ready_ = std::move(snapshot);
  host_.log(SKH_INFO, settings_.about + ": " + serving() + " from the cache");
}

bool Mirror::isComplete(const Artefact &artefact) const {
  return std::all_of(artefact.skills.begin(), artefact.skills.end(), [&](const StoredSkill &skill) {
    return std::all_of(
        skill.documents.begin(), skill.documents.end(),
        [&](const StoredDocument &document) { return folder_.has(document.revision); });
  });
}

std::string Mirror::serving() const {
  const SnapshotPointer now = ready_ ? ready_ : history_.newest();
  const std::size_t count = now ? now->skills.size() : 0;
  return std::to_string(count) + (count == 1 ? " skill" : " skills");
}

ArtefactPointer Mirror::findArtefact(const Reference &reference) const {
  const auto found =
      std::find_if(state_.artefacts.begin(), state_.artefacts.end(),
                   [&](const ArtefactPointer &one) { return one->reference == reference; });
  return found == state_.artefacts.end() ? nullptr : *found;
}

void Mirror::refresh(remote::Operation &operation, const std::function<void()> & /*publishNow*/) {
  const web::SignalGuard guard; // the server may close the connection
  registries_.beginRefresh();
  const Say tell = [this](const std::string &text) { findings_.warn(text); };
  ArtefactReader reader(settings_, folder_, registries_, operation, tell);
  RefreshState state;
  const std::vector<Reference> wanted = collectReferences(state, operation, tell);
  state.wanted += wanted.size() - state.unrefreshed.size();
  state.artefacts.resize(wanted.size());
  // Begins after the artefact at which the last round ended, so that an artefact that takes all the
  // time, or is always refused, does not block the rest.
  const auto last = std::find_if(wanted.begin(), wanted.end(), [this](const Reference &one) {
    return !resumeAfter_.empty() && one.text() == resumeAfter_;
  });
  const std::size_t first =
      last == wanted.end() ? 0 : static_cast<std::size_t>(last - wanted.begin()) + 1;
  const std::string before = std::exchange(resumeAfter_, {});
  for (std::size_t done = 0; done < wanted.size(); ++done) {
    const std::size_t i = (first + done) % wanted.size();
    ArtefactPointer &artefact = state.artefacts[i];
    artefact = servedArtefact(wanted[i]);
    if (state.unrefreshed.contains(wanted[i].text())) continue;
    try {
      artefact = refreshArtefact(reader, wanted[i]);
    } catch (const remote::RemoteError &error) {
      if (pauseRegistry(wanted[i], error) && resumeAfter_.empty()) resumeAfter_ = wanted[i].text();
      state.fail(error);
    } catch (const skh::Error &error) { // error of the operation or of the disk
      if (error.status() == SKH_CANCELLED) throw;
      resumeAfter_ = wanted[i].text();
      for (; done < wanted.size(); ++done) {
        const std::size_t rest = (first + done) % wanted.size();
        state.artefacts[rest] = servedArtefact(wanted[rest]);
      }
      state.isComplete = false;
      finishRefresh(state, reader.fetched());
      throw;
    } catch (const std::runtime_error &error) {
      state.left.push_back({wanted[i].text(), error.what(), artefact != nullptr});
    }
  }
  // A registry that still wants a pause was not asked, so the order stays as it was.
  if (resumeAfter_.empty() && state.failed > 0) resumeAfter_ = before;
  finishRefresh(state, reader.fetched());
  if (state.isAllLeftOut()) {
    const RefreshState::LeftOut &first = state.left.front();
    const bool isNamed = state.wanted == 1 && first.reference == settings_.about;
    const std::string many = "none of " + std::to_string(state.wanted) + " artefacts";
    throw remote::RemoteError(
        (state.wanted == 1 ? "it cannot" : many + " can") +
        " be served as it is now: " + (isNamed ? "" : first.reference + ": ") + first.why);
  }
  if (state.failed == 0) return;
  const std::string why = std::to_string(state.failed) + " of " + std::to_string(state.wanted) +
                          " artefacts cannot be asked for: " + state.firstFailure;
  if (state.refused == state.wanted) throw remote::RefusedError(why, state.shortestWait);
  // If any registry answered, the next refresh is not delayed by the pause of another one.
  const bool isAny = state.failed < state.wanted;
  throw remote::RemoteError(why, isAny ? std::nullopt : state.shortestWait);
}

// Returns the artefacts of a round in this order: those in the configuration, the repository's
// tags, the catalogue. If the tags or the catalogue cannot be read, their previous artefacts stay.
std::vector<Reference> Mirror::collectReferences(RefreshState &state, remote::Operation &operation,
                                                 const Say &tell) {
  std::vector<Reference> all = settings_.references;
  const auto isOfRepository = [this](const Reference &one) {
    return settings_.repository && one.name() == settings_.repository->name();
  };
  const auto listed = [&](const Reference &where, const std::string &what, const auto &list,
                          const auto &isOfThis) {
    try {
      for (Reference &one : list(settings_, registries_, operation, tell))
        all.push_back(std::move(one));
      return;
    } catch (const remote::RemoteError &error) {
      pauseRegistry(where, error);
      state.fail(error, what + where.name() + ": ");
    } catch (const oci::ContentError &error) {
      state.fail(remote::RemoteError(error.what()), "");
    }
    ++state.wanted;
    for (const ArtefactPointer &one : state_.artefacts)
      if (isOfThis(one->reference) && state.unrefreshed.insert(one->reference.text()).second)
        all.push_back(one->reference);
  };
  if (settings_.repository)
    listed(*settings_.repository, "the tags of ", tagsOfRepository,
           [&](const Reference &one) { return isOfRepository(one) && !settings_.names(one); });
  if (settings_.catalogue)
    listed(*settings_.catalogue, "the catalogue ", entriesOfCatalogue,
           [&](const Reference &one) { return !isOfRepository(one) && !settings_.names(one); });
  limitArtefacts(all, settings_, tell);
  std::erase_if(state.unrefreshed, [&](const std::string &text) {
    return std::none_of(all.begin(), all.end(),
                        [&](const Reference &one) { return one.text() == text; });
  });
  return all;
}

// Returns true if the registry does not answer or asks for a pause. Then it is not asked again in
// this round.
bool Mirror::pauseRegistry(const Reference &reference, const remote::RemoteError &error) {
  const bool isEnough = error.retryAfter() ||
                        dynamic_cast<const oci::BusyError *>(&error) != nullptr ||
                        dynamic_cast<const remote::NetworkError *>(&error) != nullptr;
  if (isEnough) registries_.pauseRegistry(reference, error);
  return isEnough;
}

ArtefactPointer Mirror::refreshArtefact(ArtefactReader &reader, const Reference &reference) {
  const std::string digest = reader.digestOf(reference);
  const ArtefactPointer before = servedArtefact(reference);
  return before && before->digest == digest ? before : reader.read(reference, digest);
}

// Returns the artefact that is served now; null if there is none or if its cache is incomplete.
ArtefactPointer Mirror::servedArtefact(const Reference &reference) const {
  const ArtefactPointer before = findArtefact(reference);
  return before && isComplete(*before) ? before : nullptr;
}

void Mirror::finishRefresh(RefreshState &state, std::size_t fetched) {
  // If all are left out, the error already reports the first one.
  for (std::size_t i = state.isAllLeftOut() ? 1 : 0; i < state.left.size(); ++i)
    findings_.warn(state.left[i].reference +
                   (state.left[i].isServed ? " stays as it was: " : " left out: ") +
                   state.left[i].why);
  std::erase(state.artefacts, nullptr);
  const SnapshotPointer before = history_.newest();
  SnapshotPointer fresh = makeSnapshot(state.artefacts, settings_);
  if (fetched > 0) host_.count("fetches", static_cast<double>(fetched));
  needsTidy_ = true;
  // Nothing is available, but the refresh does not prove that there is nothing.
  const bool isUnknown = state.failed > 0 || !state.isComplete || !state.left.empty();
  if (isUnknown && state.artefacts.empty() && !before) return;
  if (!settings_.pinned.empty() && fresh->id != settings_.pinned) {
    if (state.failed > 0) return; // refresh() reports the reason
    throw remote::RemoteError("the snapshot of the lock can no longer be had");
  }
  // The age of the served content is only reset by a complete refresh.
  const bool isChecked = state.failed == 0 && state.isComplete;
  for (const std::string &one : fresh->leftOut) findings_.warn(one);
  state_ = {settings_.origin, isChecked ? secondsNow() : state_.checked,
            std::move(state.artefacts)};
  if (!before || before->id != fresh->id || before->skills.size() != fresh->skills.size()) {
    ready_ = std::move(fresh);
    host_.log(SKH_INFO, settings_.about + ": " + serving() + ", " + std::to_string(fetched) +
                            (fetched == 1 ? " layer" : " layers") + " fetched");
  }
  // Last, because a snapshot is served even if the disk refuses.
  folder_.putState(writeState(state_));
}

void Mirror::tidy(const remote::Checkpoint & /*checkpoint*/) {
  if (!std::exchange(needsTidy_, false)) return;
  std::set<std::string> kept;
  const auto keep = [&](const Artefact &artefact) {
    for (const std::string &layer : artefact.layers) kept.insert(oci::hexadecimalOf(layer));
    for (const StoredSkill &skill : artefact.skills)
      for (const StoredDocument &document : skill.documents) kept.insert(document.revision);
  };
  for (const ArtefactPointer &one : state_.artefacts) keep(*one);
  for (const SnapshotPointer &one : history_.all())
    for (const Listed &skill : one->skills) keep(*skill.artefact);
  folder_.sweep(kept);
}

std::string Mirror::read(const StoredDocument &document, const std::string &name) {
  if (std::optional<std::string> bytes = folder_.get(document.revision, document.size))
    return *std::move(bytes);
  throw skh::Error(SKH_UNAVAILABLE,
                   name + ": it is no longer whole in the cache, and is being fetched again");
}

} // namespace skillhost::oci_source
