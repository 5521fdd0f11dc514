// SPDX-License-Identifier: Apache-2.0
#include "mirror.hpp"

#include "http/signal_guard.hpp"
#include "oci/digest.hpp"

#include <algorithm>
#include <utility>

namespace skillhost::oci_source {
namespace {

constexpr std::size_t mostSaid = 200; // findings in the log, of one instance

std::int64_t secondsNow() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

} // namespace

struct Mirror::Round {
  std::vector<ArtefactPointer> artefacts;
  std::size_t wanted = 0, failed = 0, refused = 0; // the last: of those that failed, by 401 and 403
  std::string firstFailure;
  std::optional<std::chrono::seconds> retryAfter;

  void fail(const remote::RemoteError &error) {
    if (++failed == 1) firstFailure = error.what();
    if (error.status() == SKH_DENIED) ++refused;
    if (!retryAfter) retryAfter = error.retryAfter();
  }
};

Mirror::Mirror(skh::Host host, const Settings &settings, History &history)
    : host_(host), settings_(settings),
      agent_(std::string(host.name()) + "/" + std::string(host.version())), history_(history),
      folder_(host), registries_(settings, agent_) {
  state_.origin = settings.origin;
}

void Mirror::load() {
  std::optional<State> last = readState(folder_.state(), settings_.origin);
  if (!last) return;
  const bool wasEmpty = last->artefacts.empty();
  std::erase_if(last->artefacts, [&](const ArtefactPointer &one) { return !isWhole(*one); });
  if (last->artefacts.empty() && !wasEmpty) return;
  SnapshotPointer snapshot = makeSnapshot(last->artefacts, settings_);
  if (!settings_.pinned.empty() && snapshot->id != settings_.pinned) return;
  state_ = *std::move(last);
  ready_ = std::move(snapshot);
  host_.log(SKH_INFO, settings_.about + ": " + serving() + " from the cache");
}

bool Mirror::isWhole(const Artefact &artefact) const {
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

ArtefactPointer Mirror::known(const Reference &reference) const {
  const auto found =
      std::find_if(state_.artefacts.begin(), state_.artefacts.end(),
                   [&](const ArtefactPointer &one) { return one->reference == reference; });
  return found == state_.artefacts.end() ? nullptr : *found;
}

void Mirror::look(remote::Operation &operation, const std::function<void()> & /*publishNow*/) {
  const http::SignalGuard guard; // the other side of a connection may be gone
  registries_.begin();
  const Say tell = [this](const std::string &text) { say(text); };
  ArtefactReader reader(settings_, folder_, registries_, operation, tell);
  const std::vector<Reference> wanted = wantedArtefacts(settings_, registries_, operation, tell);
  Round round;
  round.wanted = wanted.size();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    try {
      update(round, reader, wanted[i]);
    } catch (const oci::BusyError &error) {
      registries_.leaveAlone(wanted[i], error);
      round.fail(error);
      keepOld(round, wanted[i], {});
    } catch (const remote::NetworkError &error) {
      registries_.leaveAlone(wanted[i], error);
      round.fail(error);
      keepOld(round, wanted[i], {});
    } catch (const remote::RemoteError &error) {
      round.fail(error);
      keepOld(round, wanted[i], {});
    } catch (const skh::Error &error) { // of the operation, or of the disk
      if (error.status() == SKH_CANCELLED) throw;
      for (; i < wanted.size(); ++i) keepOld(round, wanted[i], {});
      finish(round, reader.fetched());
      throw;
    } catch (const std::runtime_error &error) {
      keepOld(round, wanted[i], error.what());
    }
  }
  finish(round, reader.fetched());
  if (round.failed == 0) return;
  const std::string why = std::to_string(round.failed) + " of " + std::to_string(round.wanted) +
                          " artefacts cannot be asked for: " + round.firstFailure;
  if (round.refused == round.wanted) throw remote::RefusedError(why, round.retryAfter);
  throw remote::RemoteError(why, round.retryAfter);
}

void Mirror::update(Round &round, ArtefactReader &reader, const Reference &reference) {
  const std::string digest = reader.digestOf(reference);
  const ArtefactPointer old = known(reference);
  if (old && old->digest == digest && isWhole(*old))
    round.artefacts.push_back(old);
  else
    round.artefacts.push_back(reader.read(reference, digest));
}

// The artefact stays as it was, if it was there. `why` is told unless it is empty.
void Mirror::keepOld(Round &round, const Reference &reference, const std::string &why) {
  const ArtefactPointer old = known(reference);
  const bool isThere = old && isWhole(*old);
  if (isThere) round.artefacts.push_back(old);
  if (!why.empty()) say(reference.text() + (isThere ? " stays as it was: " : " left out: ") + why);
}

void Mirror::finish(Round &round, std::size_t fetched) {
  const SnapshotPointer before = history_.newest();
  SnapshotPointer fresh = makeSnapshot(round.artefacts, settings_);
  if (fetched > 0) host_.count("fetches", static_cast<double>(fetched));
  hasRead_ = true;
  // Nothing is there, and it is not known that there is nothing.
  if (round.failed > 0 && round.artefacts.empty() && !before) return;
  if (!settings_.pinned.empty() && fresh->id != settings_.pinned) {
    if (round.failed > 0) return; // look() says why
    throw remote::RemoteError("the snapshot of the lock can no longer be had");
  }
  state_ = {settings_.origin, secondsNow(), std::move(round.artefacts)};
  if (!before || before->id != fresh->id || before->skills.size() != fresh->skills.size()) {
    ready_ = std::move(fresh);
    host_.log(SKH_INFO, settings_.about + ": " + serving() + ", " + std::to_string(fetched) +
                            (fetched == 1 ? " layer" : " layers") + " fetched");
  }
  folder_.putState(writeState(state_)); // last: what is ready is served though the disk refuses
}

void Mirror::publish() {
  if (!ready_) return;
  history_.add(std::move(ready_));
  if (history_.hasNews()) host_.changed();
}

void Mirror::tidy(const remote::Checkpoint & /*checkpoint*/) {
  if (!std::exchange(hasRead_, false)) return;
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

// Once each, however often a look meets it.
void Mirror::say(const std::string &text) {
  if (said_.size() >= mostSaid || !said_.insert(text).second) return;
  host_.log(SKH_WARN, text);
  if (said_.size() == mostSaid)
    host_.log(SKH_WARN, "further findings of this source are not logged");
}

} // namespace skillhost::oci_source
