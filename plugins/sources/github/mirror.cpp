// SPDX-License-Identifier: Apache-2.0
#include "mirror.hpp"

#include "ground/time_reading.hpp"
#include "kept_snapshot.hpp"
#include "marketplace_fetch.hpp"

#include "api/api_update.hpp"
#include "api/client.hpp"
#include "files/whole_file.hpp"
#include "git/compaction.hpp"
#include "git/object_writer.hpp"
#include "http_client/signal_guard.hpp"
#include "network/lfs_download.hpp"
#include "paths/names.hpp"
#include "remote/token_command.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace skillhost::github {
namespace {

constexpr const char *stateName = "state.json";
constexpr const char *keptName = "snapshot";
constexpr const char *budgetName = "budget.json";
// Beyond this many bytes, a missed deadline is blamed on the size.
constexpr std::uint64_t largeFetchBytes = 1U << 20U;

} // namespace

struct Mirror::LfsWanted {
  std::vector<std::string> blobs; // blobs of the pointers
  std::vector<LfsPointer> pointers;
};

Mirror::Mirror(skh::Host host, const Settings &settings)
    : host_(host), settings_(settings), folder_(host), store_(folder_.file("repository.git")),
      marketplace_(folder_.file("marketplace")), usesApi_(settings.via == Via::api),
      builder_(settings_, store_, marketplace_), findingsLog_(host), contentLog_(host) {}

SnapshotPointer Mirror::load() {
  const std::optional<State> known = readState(folder_.file(stateName), settings_.address.url);
  // The repository was too large for git and has not become smaller.
  if (settings_.mayTurnToApi && known && !known->tree.empty()) usesApi_ = true;
  if (usesApi_ && settings_.tokenCommand.empty()) selectBudget(settings_.token);
  // Without a known state, the cache belongs to another remote or to an unfinished fetch.
  if (!known) return nullptr;
  files::removeRemains(folder_.file(""));
  store_.open();
  isOpen_ = true;
  const bool isAllowed = settings_.pin.empty() || settings_.pin == known->commit;
  isUnread_ = known->ref != settings_.ref || !isAllowed;
  try {
    // Nothing is served of another ref. Its state and objects stay until this ref has been fetched,
    // because this ref may be mistyped, and whoever returns to the other one may be offline.
    if (isUnread_ && store_.missing({known->root()}).empty()) return nullptr;
    if (isUnread_) throw skh::Error(SKH_STALE, "it does not have " + known->root());
    state_ = *known;
    std::vector<MarketplacePlugin> plugins;
    std::set<std::string> urls;
    for (MarketplaceCommit &one : state_.marketplace) {
      plugins.push_back(one.plugin);
      urls.insert(one.plugin.url);
      if (!marketplace_.has(one.plugin.url)) one.commit.clear();
    }
    marketplace_.retain(urls);
    state_.marketplace = withKnownCommits(std::move(plugins), state_.marketplace, settings_);
    SnapshotPointer loaded = loadKeptSnapshot();
    if (!loaded) loaded = build(state_, [] {});
    logFindings();
    return hasPinnedCommits() ? loaded : nullptr;
  } catch (const skh::Error &error) {
    state_ = {};
    // The API only fetched what the configuration of that time needed.
    const bool isPart = error.status() == SKH_STALE || error.status() == SKH_NOT_FOUND;
    if (isPart && usesApi_) return nullptr;
    if (error.status() != SKH_CORRUPT && error.status() != SKH_STALE) {
      // The configuration asks for something that this commit does not have.
      findingsLog_.warn(error.what());
      return nullptr;
    }
    host_.log(SKH_WARN, "the cache is damaged and begun anew: " + std::string(error.what()));
    store_.startAnew();
    return nullptr;
  }
}

SnapshotPointer Mirror::loadKeptSnapshot() {
  std::optional<KeptSnapshot> kept =
      readKeptSnapshot(folder_.file(keptName), state_.snapshot(), layoutText());
  // Without its tree, the other documents are missing as well.
  if (!kept || !store_.missing({state_.root()}).empty()) return nullptr;
  builder_.remember(*kept->snapshot);
  findings_ = std::move(kept->findings);
  entries_.replace(std::move(kept->entries));
  newest_ = std::move(kept->snapshot);
  isSnapshotSaved_ = true;
  return newest_;
}

void Mirror::saveSnapshot(const std::function<void()> &checkpoint) {
  if (isSnapshotSaved_ || !newest_) return;
  try {
    const auto read = [this](const Origin &origin, const std::string &blob) {
      std::string text;
      readStored(origin.repository, blob, [&](std::string_view bytes) { text = bytes; });
      return text;
    };
    writeKeptSnapshot(folder_.file(keptName), layoutText(), *newest_, findings_, read, checkpoint);
    isSnapshotSaved_ = true;
  } catch (const std::exception &error) {
    host_.log(SKH_DEBUG, "the next start will take longer: " + std::string(error.what()));
  }
}

void Mirror::tidy(const std::function<void()> &checkpoint) {
  try {
    bool isSmaller = compact(store_, checkpoint);
    for (const MarketplaceCommit &one : state_.marketplace)
      if (!one.commit.empty() && compact(*marketplace_.at(one.plugin.url), checkpoint))
        isSmaller = true;
    if (isSmaller) host_.log(SKH_INFO, settings_.address.url + ": the cache has been compacted");
  } catch (const std::exception &error) {
    host_.log(SKH_DEBUG, error.what());
  }
}

void Mirror::read(const std::string &repository, const std::string &blob, const Sink &sink) {
  if (const std::optional<std::string> text = entries_.take(blob)) return sink(*text);
  try {
    readStored(repository, blob, sink);
  } catch (const skh::Error &error) {
    const bool isCorrupt = error.status() == SKH_CORRUPT;
    if (!repository.empty() && isCorrupt) marketplace_.discard(repository);
    if (repository.empty() && (isCorrupt || error.status() == SKH_STALE)) markDamaged();
    throw;
  }
}

void Mirror::readStored(const std::string &repository, const std::string &blob, const Sink &sink) {
  if (repository.empty()) return store_.read(blob, sink);
  marketplace_.at(repository)->read(blob, sink);
}

// Includes the version, because another version of the host may lay out the same commit
// differently.
std::string Mirror::layoutText() const {
  return std::string(host_.version()) + '\n' + settings_.layout;
}

bool Mirror::isSettled() const {
  return !settings_.pin.empty() && settings_.pin == state_.commit && hasAllMarketplace() &&
         hasPinnedCommits() && !isLfsPending();
}

bool Mirror::hasAllMarketplace() const noexcept {
  for (std::size_t i = 0; i < state_.marketplace.size(); ++i)
    if (state_.marketplace[i].commit.empty() &&
        isServed(state_.marketplace[i].plugin, i, settings_))
      return false;
  return true;
}

// With a lock: true if exactly the commits that it names are present. Without a lock: true.
bool Mirror::hasPinnedCommits() const {
  return !settings_.marketplacePins || state_.commits() == settings_.pinned;
}

// True if a served plugin would disappear, only to return after its repository has been checked.
bool Mirror::dropsPlugins(const State &before) const {
  for (std::size_t i = 0; i < state_.marketplace.size(); ++i)
    for (const MarketplaceCommit &old : before.marketplace)
      if (old.plugin.name == state_.marketplace[i].plugin.name && !old.commit.empty() &&
          state_.marketplace[i].commit.empty() &&
          isServed(state_.marketplace[i].plugin, i, settings_))
        return true;
  return false;
}

SnapshotPointer Mirror::refresh(remote::Operation &operation) {
  operation.checkpoint();
  if (!isOpen_) store_.startAnew();
  isOpen_ = true;
  try {
    SnapshotPointer fresh = refreshOpen(operation);
    isUnread_ = false;
    return fresh;
  } catch (const skh::Error &error) {
    const bool isDamage = error.status() == SKH_CORRUPT || error.status() == SKH_STALE;
    if (!isDamage || !std::exchange(isUnread_, false)) throw;
    host_.log(SKH_WARN, "the cache is damaged and begun anew: " + std::string(error.what()));
  }
  store_.startAnew();
  return refreshOpen(operation);
}

SnapshotPointer Mirror::refreshOpen(remote::Operation &operation) {
  isLimitUsedUp_ = false;
  const Update found = fetchNewest(operation);
  if (!found.refused.empty())
    findingsLog_.warn("pin: refused commit " + found.refused + "; the pinned " + settings_.pin +
                      " is served");
  for (const std::string &note : found.notes) findingsLog_.warn(note);
  const State before = state_;
  const std::int64_t now = secondsNow();
  const bool isKnown = found.commit == before.commit;
  SnapshotPointer fresh =
      applyState({settings_.address.url, settings_.ref, found.commit, now, found.tree, found.tag,
                  found.absent, state_.marketplace, isKnown ? before.fetched : now, before.lfs,
                  isKnown && before.isLfsAnswered},
                 [&] { operation.throwIfStopped(); });
  if (SnapshotPointer whole = fetchLfs(operation)) fresh = std::move(whole);
  logFindings();
  if (!fresh) return nullptr;
  pendingSnapshot_.reset(); // an older snapshot
  if (!dropsPlugins(before)) return fresh;
  pendingSnapshot_ = std::move(fresh);
  return nullptr;
}

bool Mirror::isLfsPending() const {
  return !state_.isLfsAnswered && std::any_of(state_.lfs.begin(), state_.lfs.end(),
                                              [](const auto &one) { return one.second.empty(); });
}

// Finds the missing files and starts behind the one where the server refused more requests last
// time, so that a file that is always refused does not block the rest.
Mirror::LfsWanted Mirror::missingLfs() {
  LfsWanted wanted;
  const bool isWeb =
      settings_.address.scheme == Scheme::https || settings_.address.scheme == Scheme::http;
  for (const auto &[blob, file] : state_.lfs) {
    if (!file.empty() || !isWeb) continue;
    std::string text;
    store_.read(blob, [&](std::string_view bytes) { text = bytes; });
    const std::optional<LfsPointer> pointer = readLfsPointer(text);
    if (!pointer || pointer->size > settings_.limits.maxFileBytes) continue;
    wanted.blobs.push_back(blob);
    wanted.pointers.push_back(*pointer);
  }
  const std::string last = std::exchange(lfsResumeAfter_, {});
  const auto behind = std::upper_bound(wanted.blobs.begin(), wanted.blobs.end(), last);
  const std::ptrdiff_t first = behind - wanted.blobs.begin();
  std::rotate(wanted.blobs.begin(), behind, wanted.blobs.end());
  std::rotate(wanted.pointers.begin(), wanted.pointers.begin() + first, wanted.pointers.end());
  return wanted;
}

// Leaves out the files that cannot be fetched. A later refresh asks for them again, but not before
// the server's Retry-After. Throws only while a lock is made, if a file may still become available.
SnapshotPointer Mirror::fetchLfs(remote::Operation &operation) {
  if (const auto rest = lfsRetryAt_ - remote::Operation::Clock::now(); rest.count() > 0) {
    if (settings_.awaitNewest && isLfsPending())
      throw remote::RemoteError("Git LFS: its server has asked to be left alone",
                                std::chrono::ceil<std::chrono::seconds>(rest));
    return nullptr;
  }
  const LfsWanted wanted = missingLfs();
  if (wanted.pointers.empty() && !isLfsPending()) return nullptr;
  const web::SignalGuard guard; // the server may close the connection
  const HttpAccess access{
      settings_.address.url,
      settings_.user,
      access_.token,
      {settings_.address.host, settings_.caFile, access_.agent, settings_.allowPrivateAddresses}};
  State state = state_;
  const auto now = remote::Operation::Clock::now();
  const auto isStopped = [&] { return operation.isStopped(); };
  // Files that arrive in time are kept, and the next refresh continues from there.
  remote::Operation writing(isStopped, now + settings_.deadline, settings_.limits.maxFetchBytes);
  remote::Operation reading(isStopped, now + settings_.deadline / 2, settings_.limits.maxFetchBytes,
                            [&, before = std::uint64_t{0}](std::uint64_t all) mutable {
                              if (!isLimitUsedUp_) operation.receive(all - before);
                              before = all;
                            });
  ObjectWriter writer(store_, writing);
  std::size_t answered = 0;
  // Reason why a file that may become available is missing.
  std::optional<remote::RemoteError> later;
  const auto leaveOut = [&](const std::string &why, bool isAbsent,
                            std::optional<std::chrono::seconds> wait = std::nullopt) {
    const std::string text = "Git LFS: " + paths::printable(why);
    if (!isAbsent && !later) later.emplace(text, wait);
    contentLog_.warn(text);
  };
  try {
    downloadLfs(access, wanted.pointers, reading, [&](std::size_t which, const LfsAnswer &answer) {
      ++answered;
      if (!answer.why.empty())
        return leaveOut(wanted.pointers[which].oid + ": " + answer.why, answer.isAbsent);
      const std::string id = idOf(ObjectKind::blob, answer.bytes);
      writer.add(ObjectKind::blob, id, answer.bytes);
      state.lfs[wanted.blobs[which]] = id;
    });
  } catch (const NoLfsFileError &error) {
    leaveOut(error.what(), true);
  } catch (const remote::RemoteError &error) {
    if (const auto wait = error.retryAfter()) lfsRetryAt_ = remote::Operation::Clock::now() + *wait;
    lfsResumeAfter_ = wanted.blobs[answered];
    leaveOut(error.what(), false, error.retryAfter());
  } catch (const skh::Error &error) {
    if (error.status() == SKH_CANCELLED) throw;
    leaveOut(error.what(), false);
  }
  writer.flush();
  state.isLfsAnswered = !later;
  SnapshotPointer fresh;
  if (state.lfs != state_.lfs || state.isLfsAnswered != state_.isLfsAnswered)
    fresh = applyState(std::move(state), [&] { operation.throwIfStopped(); });
  if (later && settings_.awaitNewest) throw remote::RemoteError(*later);
  return fresh;
}

SnapshotPointer Mirror::refreshMarketplace(remote::Operation &operation) {
  State state = state_;
  if (!state.marketplace.empty()) checkMarketplace(state, operation);
  SnapshotPointer fresh = applyState(std::move(state), [&] { operation.throwIfStopped(); });
  logFindings();
  if (!fresh) fresh = std::move(pendingSnapshot_);
  pendingSnapshot_.reset();
  if (!hasPinnedCommits())
    throw remote::RemoteError("what the lock names can no longer be had: the configuration or the "
                              "marketplace.json has other plugins than those it was made of");
  return fresh;
}

// Checks the plugins in turn. If one uses up the time or the bytes, the plugins that were left out
// are first in the next refresh.
void Mirror::checkMarketplace(State &state, remote::Operation &operation) {
  remote::Operation own([&] { return operation.isStopped(); },
                        remote::Operation::Clock::now() + settings_.deadline,
                        settings_.limits.maxFetchBytes,
                        [&, before = std::uint64_t{0}](std::uint64_t all) mutable {
                          if (isLimitUsedUp_) return;
                          operation.receive(all - before);
                          before = all;
                        });
  own.setTrace(operation.trace());
  MarketplaceFetch fetch(settings_, access_, marketplace_, own);
  const std::size_t count = state.marketplace.size();
  const std::size_t first = firstPlugin_ < count ? firstPlugin_ : 0;
  std::optional<std::size_t> firstMissed;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = (first + i) % count;
    MarketplaceCommit &one = state.marketplace[index];
    if (!isServed(one.plugin, index, settings_)) continue;
    const std::uint64_t bytes = isLimitUsedUp_ ? own.bytes() : operation.bytes();
    const bool hasTurn = own.waitSliceMs() > 0 && bytes <= settings_.limits.maxFetchBytes;
    if (!hasTurn && !firstMissed) firstMissed = index;
    if (const auto at = pluginRetryAt_.find(one.plugin.url);
        at != pluginRetryAt_.end() && std::chrono::steady_clock::now() < at->second)
      continue;
    const std::string known = std::exchange(one.commit, marketplaceCommit(one, index, fetch));
    if (one.commit != known) one.fetched = secondsNow();
  }
  firstPlugin_ = firstMissed.value_or(0);
}

// Returns the known commit if no new one can be fetched.
std::string Mirror::marketplaceCommit(const MarketplaceCommit &known, std::size_t index,
                                      MarketplaceFetch &fetch) {
  std::string why = titleOf(known.plugin) + ": ";
  try {
    return fetch.commitOf(known.plugin,
                          settings_.marketplacePins ? (*settings_.marketplacePins)[index] : "");
  } catch (const remote::RemoteError &error) {
    if (const auto wait = error.retryAfter())
      pluginRetryAt_[known.plugin.url] = std::chrono::steady_clock::now() + *wait;
    why += paths::printable(error.what());
  } catch (const skh::Error &error) {
    if (error.status() == SKH_CANCELLED) throw;
    why += paths::printable(error.what());
  }
  if (settings_.marketplacePins || settings_.awaitNewest) throw remote::RemoteError(why);
  contentLog_.warn(why +
                   (known.commit.empty() ? "; it is left out" : "; what is known of it is served"));
  return known.commit;
}

// Returns null if this snapshot is already served, or if not everything that a lock names is
// present.
SnapshotPointer Mirror::applyState(State state, const std::function<void()> &checkpoint) {
  const std::string before = state_.snapshot();
  SnapshotPointer fresh;
  if (state.snapshot() != before) fresh = build(state, checkpoint);
  {
    const std::lock_guard lock(stateMutex_);
    if (!isDamaged_) writeState(folder_.file(stateName), state);
  }
  state_ = std::move(state);
  if (fresh && fresh->id == before) fresh = nullptr;
  return hasPinnedCommits() ? fresh : nullptr;
}

void Mirror::markDamaged() {
  const std::lock_guard lock(stateMutex_);
  if (isDamaged_) return;
  isDamaged_ = true;
  std::error_code ignored;
  std::filesystem::remove(folder_.file(stateName), ignored);
  host_.log(SKH_ERROR, "the cache is damaged: the next start fetches everything anew");
}

Update Mirror::fetchNewest(remote::Operation &operation) {
  access_ = {"git/2 (" + agent() + ")", settings_.token};
  if (!settings_.tokenCommand.empty())
    access_.token = remote::tokenFrom(settings_.tokenCommand, operation);
  takeAppToken(operation);
  const auto fetch = [&] {
    return usesApi_ ? fetchByApi({agent(), access_.token}, operation) : fetchByGit(operation);
  };
  try {
    return fetch();
  } catch (const remote::RefusedError &error) {
    if (!appToken_) throw;
    appToken_->forget(); // it may have been revoked
    if (error.retryAfter()) throw;
  }
  takeAppToken(operation);
  try {
    return fetch();
  } catch (const remote::RefusedError &error) {
    appToken_->forget();
    throw remote::RefusedError(std::string(error.what()) + " (also with a new token of the app " +
                                   settings_.app->app + ')',
                               error.retryAfter());
  }
}

void Mirror::takeAppToken(remote::Operation &operation) {
  if (!settings_.app) return;
  if (!appToken_) appToken_.emplace(*settings_.app, settings_.appApi);
  const Address api = Address::ofService(settings_.appApi, "api_url");
  access_.token = appToken_->get(
      {api.host, settings_.caFile, agent(), settings_.allowPrivateAddresses}, operation);
}

std::string Mirror::agent() const {
  return std::string(host_.name()) + " " + std::string(host_.version());
}

// git fetches the whole history, and the API only the newest commit.
Update Mirror::fetchByGit(remote::Operation &operation) {
  std::string why;
  try {
    return update(settings_, {settings_.address, settings_.ref, settings_.pin}, access_, store_,
                  operation);
  } catch (const skh::Error &error) {
    const bool isLong = error.status() == SKH_DEADLINE && operation.bytes() > largeFetchBytes;
    if (error.status() != SKH_TOO_LARGE && !isLong) throw;
    why = error.what();
    if (!settings_.mayTurnToApi)
      throw skh::Error(error.status(), why + ": raise the limit, or, if this is GitHub, write "
                                             "via: api, which fetches the newest commit alone");
  }
  findingsLog_.warn(settings_.address.url + " is too large for git: " + why +
                    "; from now on GitHub's API is asked, as with via: api");
  usesApi_ = true;
  isLimitUsedUp_ = true;
  remote::Operation own([&] { return operation.isStopped(); },
                        remote::Operation::Clock::now() + settings_.deadline,
                        settings_.limits.maxFetchBytes);
  own.setTrace(operation.trace());
  return fetchByApi({agent(), access_.token}, own);
}

Update Mirror::fetchByApi(const Access &access, remote::Operation &operation) {
  selectBudget(access.token);
  try {
    Update found = updateByApi(settings_, access, state_, store_, *budget_, operation);
    budget_->save();
    return found;
  } catch (...) {
    budget_->save();
    throw;
  }
}

// The account of the budget is the owner of the token. Only a short digest of the token is used, to
// distinguish it from others. An installation of an app has a new token each hour.
void Mirror::selectBudget(const std::string &token) {
  const std::string who = settings_.app
                              ? "app " + settings_.app->app + ' ' + settings_.app->installation
                          : token.empty() ? "nobody"
                                          : idOf(ObjectKind::blob, token).substr(0, 12);
  budget_.emplace(folder_.file(budgetName), settings_.apiUrl.url + " " + who);
}

SnapshotPointer Mirror::build(State &state, const std::function<void()> &checkpoint) {
  Built built = builder_.build(state, checkpoint);
  findings_ = std::move(built.findings);
  newest_ = std::move(built.snapshot);
  isSnapshotSaved_ = false;
  return newest_;
}

void Mirror::logFindings() {
  for (const std::string &finding : findings_) contentLog_.warn(finding);
}

} // namespace skillhost::github
