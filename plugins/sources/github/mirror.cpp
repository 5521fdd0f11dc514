// SPDX-License-Identifier: Apache-2.0
#include "mirror.hpp"

#include "kept_snapshot.hpp"
#include "layout.hpp"
#include "token_command.hpp"

#include "api/api_update.hpp"
#include "api/client.hpp"
#include "files/whole_file.hpp"
#include "git/compaction.hpp"
#include "git/object_writer.hpp"
#include "paths/names.hpp"

#include <filesystem>

namespace skillhost::github {
namespace {

constexpr const char *stateName = "state.json";
constexpr const char *keptName = "snapshot";
constexpr const char *budgetName = "budget.json";
constexpr std::size_t mostFindings = 200; // in the log, of one instance

class StoredBlobs final : public Blobs {
public:
  using Sizes = std::unordered_map<std::string, std::uint64_t>;

  StoredBlobs(ObjectStore &store, const Sizes &known) : store_(store), known_(known) {}

  std::uint64_t size(const std::string &blob) override {
    if (const auto at = used_.find(blob); at != used_.end()) return at->second;
    const auto before = known_.find(blob);
    const std::uint64_t size = before != known_.end() ? before->second : store_.size(blob);
    used_.emplace(blob, size);
    return size;
  }
  std::string content(const std::string &blob) override {
    std::string text;
    store_.read(blob, [&](std::string_view bytes) { text = bytes; });
    return text;
  }
  // Those that were asked for.
  Sizes takeSizes() { return std::move(used_); }

private:
  ObjectStore &store_;
  const Sizes &known_; // from the snapshot before
  Sizes used_;
};

} // namespace

Mirror::Mirror(skh::Host host, const Settings &settings)
    : host_(host), settings_(settings), folder_(host), store_(folder_.file("repository.git")) {}

SnapshotPointer Mirror::load() {
  if (settings_.via == Via::api && settings_.tokenCommand.empty()) knowBudget(settings_.token);
  const std::optional<State> known =
      readState(folder_.file(stateName), settings_.address.url, settings_.ref);
  // Otherwise whatever lies there is of another remote, or of a fetch that never ended.
  if (!known) return nullptr;
  files::removeRemains(folder_.file(""));
  store_.open();
  isOpen_ = true;
  const bool isAllowed = settings_.pin.empty() || settings_.pin == known->commit;
  if (!isAllowed) return nullptr;
  try {
    state_ = *known;
    if (SnapshotPointer kept = takeKept()) return kept;
    return build(*known, [] {});
  } catch (const skh::Error &error) {
    state_ = {};
    // By the API no more is fetched than the configuration of its day asked for.
    const bool isPart = error.status() == SKH_STALE || error.status() == SKH_NOT_FOUND;
    if (isPart && settings_.via == Via::api) return nullptr;
    if (error.status() != SKH_CORRUPT && error.status() != SKH_STALE) {
      // The configuration asks for something else than this commit has.
      say(error.what());
      return nullptr;
    }
    host_.log(SKH_WARN, "the cache is damaged and begun anew: " + std::string(error.what()));
    store_.startAnew();
    return nullptr;
  }
}

SnapshotPointer Mirror::takeKept() {
  std::optional<KeptSnapshot> kept =
      readKeptSnapshot(folder_.file(keptName), state_.commit, layoutText());
  // Without its tree the other documents are not there either.
  if (!kept || !store_.lacking({state_.root()}).empty()) return nullptr;
  for (const StoredSkill &skill : kept->snapshot->skills)
    for (const StoredDocument &document : skill.documents)
      sizes_.emplace(document.blob, document.size);
  for (const std::string &finding : kept->findings) say(finding);
  findings_ = std::move(kept->findings);
  entries_.replace(std::move(kept->entries));
  newest_ = std::move(kept->snapshot);
  isKept_ = true;
  return newest_;
}

void Mirror::keep(const std::function<void()> &checkpoint) {
  if (isKept_ || !newest_) return;
  try {
    const StoredBlobs::Sizes none;
    StoredBlobs blobs(store_, none);
    writeKeptSnapshot(folder_.file(keptName), layoutText(), *newest_, findings_, blobs, checkpoint);
    isKept_ = true;
  } catch (const std::exception &error) {
    host_.log(SKH_DEBUG, "the next start will take longer: " + std::string(error.what()));
  }
}

void Mirror::tidy(const std::function<void()> &checkpoint) {
  try {
    if (compact(store_, checkpoint))
      host_.log(SKH_INFO, settings_.address.url + ": the cache has been compacted");
  } catch (const std::exception &error) {
    host_.log(SKH_DEBUG, error.what());
  }
}

void Mirror::read(const std::string &blob, const std::function<void(std::string_view)> &sink) {
  if (const std::optional<std::string> text = entries_.take(blob)) return sink(*text);
  store_.read(blob, sink);
}

// Another version of the host may lay out the same commit otherwise.
std::string Mirror::layoutText() const {
  return std::string(host_.version()) + '\n' + settings_.layout;
}

bool Mirror::isSettled() const noexcept {
  return !settings_.pin.empty() && settings_.pin == state_.commit;
}

SnapshotPointer Mirror::refresh(remote::Operation &operation) {
  operation.checkpoint();
  if (!isOpen_) store_.startAnew();
  isOpen_ = true;
  const Update found = askRemote(operation);
  if (!found.refused.empty())
    say("pin: refused commit " + found.refused + "; the pinned " + settings_.pin + " is served");
  for (const std::string &note : found.notes) say(note);
  State state{settings_.address.url, settings_.ref, found.commit, unixNow(), found.tree, found.tag,
              found.absent};
  SnapshotPointer fresh;
  if (found.commit != state_.commit) fresh = build(state, [&] { operation.checkpoint(); });
  {
    const std::lock_guard lock(stateMutex_);
    if (!isDamaged_) writeState(folder_.file(stateName), state);
  }
  state_ = std::move(state);
  return fresh;
}

void Mirror::distrust() {
  const std::lock_guard lock(stateMutex_);
  if (isDamaged_) return;
  isDamaged_ = true;
  std::error_code ignored;
  std::filesystem::remove(folder_.file(stateName), ignored);
  host_.log(SKH_ERROR, "the cache is damaged: the next start fetches everything anew");
}

Update Mirror::askRemote(remote::Operation &operation) {
  Access access{std::string(host_.name()) + " " + std::string(host_.version()), settings_.token};
  if (!settings_.tokenCommand.empty()) access.token = tokenFrom(settings_.tokenCommand, operation);
  if (settings_.via == Via::api) return askApi(access, operation);
  access.agent = "git/2 (" + access.agent + ")";
  return update(settings_, access, store_, operation);
}

Update Mirror::askApi(const Access &access, remote::Operation &operation) {
  knowBudget(access.token);
  try {
    Update found = updateByApi(settings_, access, state_, store_, *budget_, operation);
    budget_->save();
    return found;
  } catch (...) {
    budget_->save();
    throw;
  }
}

// Of whose requests are counted: of a token no more than tells it from another.
void Mirror::knowBudget(const std::string &token) {
  const std::string who = token.empty() ? "nobody" : idOf(ObjectKind::blob, token).substr(0, 12);
  budget_.emplace(folder_.file(budgetName), settings_.apiUrl.url + " " + who);
}

SnapshotPointer Mirror::build(const State &state, const std::function<void()> &checkpoint) {
  const std::vector<TreeEntry> entries =
      readTree(store_, state.root(), state.commit, settings_.selection.subpath,
               settings_.limits.maxFiles, checkpoint);
  for (const auto &[blob, size] : state.absent) sizes_.emplace(blob, size);
  StoredBlobs blobs(store_, sizes_);
  Laid laid = layOut(entries, settings_.selection, settings_.limits, blobs);
  findings_.clear();
  for (const Finding &finding : laid.findings)
    if (findings_.size() < mostFindings)
      findings_.push_back(
          paths::printable(paths::joined(settings_.selection.subpath, finding.path)) + ": " +
          finding.reason);
  for (const std::string &finding : findings_) say(finding);
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->id = state.commit;
  snapshot->skills = std::move(laid.skills);
  sizes_ = blobs.takeSizes();
  newest_ = snapshot;
  isKept_ = false;
  return snapshot;
}

// Once each, however often a refresh meets it.
void Mirror::say(const std::string &text) {
  if (said_.size() >= mostFindings || !said_.insert(text).second) return;
  host_.log(SKH_WARN, text);
  if (said_.size() == mostFindings)
    host_.log(SKH_WARN, "further findings of this source are not logged");
}

} // namespace skillhost::github
