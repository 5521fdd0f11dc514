// SPDX-License-Identifier: Apache-2.0
#include "api/api_update.hpp"

#include "blob_fetch.hpp"
#include "wanted_blobs.hpp"

#include "layout.hpp"

#include "http_client/signal_guard.hpp"

#include <nlohmann/json.hpp>

namespace skillhost::github {
namespace {

constexpr std::uint64_t maxNameBytes = std::uint64_t{1} << 20U; // of the answer that names a commit
constexpr int maxRounds = 12; // one manifest may name others, and a link may need eight more

// Encodes a ref as part of a path. A ref contains no "?".
std::string encoded(const std::string &ref) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  for (const char c : ref) {
    const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || std::string_view("-_./").find(c) != text.npos;
    if (isPlain) {
      text += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    ((text += '%') += digits[byte / 16U]) += digits[byte % 16U];
  }
  return text;
}

class ApiUpdate {
public:
  ApiUpdate(const Settings &settings, const ApiAccess &access, const State &known,
            ObjectStore &store, Budget &budget, remote::Operation &operation)
      : settings_(settings), access_(access), known_(known), store_(store), budget_(budget),
        operation_(operation), client_(access, budget, operation), writer_(store, operation) {}

  Update run() {
    const std::string offered = askForCommit();
    done_.commit = settings_.pin.empty() ? offered : settings_.pin;
    if (done_.commit != offered) {
      done_.refused = offered;
      done_.tag.clear(); // the tag belongs to another commit than the served one
    }
    if (!client_.movedTo().empty())
      done_.notes.push_back("the repository has another name by now, and is found as " +
                            client_.movedTo() + ": change url");
    if (done_.commit == known_.commit) {
      done_.tree = known_.tree;
      done_.absent = known_.absent;
    } else if (store_.commitOf(done_.commit).empty()) {
      fetchCommit();
    }
    return std::move(done_);
  }

private:
  // Returns the commit that ref names; "" if only the pin counts and ref names none.
  std::string askForCommit() {
    std::string ref = settings_.ref.empty() ? "HEAD" : settings_.ref;
    if (ref.starts_with("refs/")) ref.erase(0, 5);
    const bool isKnown = !known_.commit.empty() && !known_.tag.empty();
    const ApiAnswer answer = client_.get({"/commits/" + encoded(ref), "application/vnd.github.sha",
                                          isKnown ? known_.tag : std::string{}, maxNameBytes});
    if (answer.status == 304) {
      done_.tag = known_.tag;
      return known_.commit;
    }
    if (answer.status != 200) return refuse(answer.status);
    done_.tag = answer.tag;
    std::string commit = answer.body;
    if (commit.starts_with('{')) { // the server does not know the media type
      const nlohmann::json read = nlohmann::json::parse(commit, nullptr, false);
      commit = read.is_object() ? read.value("sha", "") : "";
    }
    while (commit.ends_with('\n')) commit.pop_back();
    if (!isObjectId(commit))
      throw remote::RemoteError(
          "the API answers, but does not name a commit: is this GitHub? (api_url)");
    // The API also returns commits of forks and of pull requests by strangers, so a short id could
    // name one of those.
    if (isShortId(settings_.ref) && commit.starts_with(settings_.ref))
      throw remote::RemoteError("ref: with via: api a commit has its whole SHA: write " + commit +
                                ", if that is the one that is meant");
    return commit;
  }

  std::string refuse(long status) const {
    const bool isOurs = !access_.token.empty();
    const std::string why = "the API answers " + std::to_string(status) + ": ";
    if (status == 404)
      throw remote::RemoteError(why +
                                (isOurs ? "there is no such repository, or the token may not see it"
                                        : "there is no such repository, or it needs a token"));
    if (status == 409) throw remote::RemoteError("the repository is empty");
    if (status == 451)
      throw remote::RemoteError(why + "the repository is withheld for legal reasons");
    if (!settings_.pin.empty()) return {};
    throw MissingRefError("ref: the repository has no branch and no tag \"" + settings_.ref + '"');
  }

  void fetchCommit() {
    FetchedTrees trees;
    try {
      trees = fetchTrees(client_, writer_, done_.commit, settings_.selection.subpath,
                         settings_.limits.maxFiles);
    } catch (const remote::RemoteError &error) {
      if (done_.refused.empty()) throw;
      throw remote::RemoteError("pin: the repository has " + done_.refused +
                                    " and not the pinned " + settings_.pin +
                                    ", which alone may be served: " + error.what(),
                                error.retryAfter());
    }
    writer_.flush();
    done_.tree = trees.root;
    fetchBlobs(trees);
  }

  // Lays out the blobs that are present, which shows what else is needed, and repeats this until
  // nothing is missing.
  void fetchBlobs(const FetchedTrees &trees) {
    const std::vector<TreeEntry> entries =
        readTree(store_, trees.root, done_.commit, settings_.selection.subpath,
                 settings_.limits.maxFiles, [&] { operation_.checkpoint(); });
    std::set<std::string> all;
    for (const TreeEntry &entry : entries)
      if (entry.kind != EntryKind::submodule && entry.kind != EntryKind::badName)
        all.insert(entry.blob);
    const BlobFetchRules wanted{done_.commit, trees, settings_.limits.maxFileBytes,
                                settings_.limits.maxFetchBytes};
    BlobFetch blobs(client_, budget_, writer_, wanted, store_.missing(all));
    for (int round = 0; round < maxRounds; ++round) {
      operation_.checkpoint();
      const std::set<std::string> missing = store_.missing(all);
      WantedBlobs known(store_, trees.sizes, missing);
      const LayoutResult laid = layOut(entries, settings_.selection, settings_.limits, known,
                                       [&] { operation_.checkpoint(); });
      std::set<std::string> needed = known.neededContents();
      for (const StoredSkill &skill : laid.skills)
        for (const StoredDocument &document : skill.documents)
          if (missing.contains(document.blob)) needed.insert(document.blob);
      if (needed.empty()) {
        done_.absent = known.missingSizes();
        return;
      }
      blobs.fetch(std::move(needed));
    }
    throw remote::RemoteError("the commit always needs something else");
  }

  const Settings &settings_;
  const ApiAccess &access_;
  const State &known_;
  ObjectStore &store_;
  Budget &budget_;
  remote::Operation &operation_;
  ApiClient client_;
  ObjectWriter writer_;
  Update done_;
};

} // namespace

Update updateByApi(const Settings &settings, const Access &access, const State &known,
                   ObjectStore &store, Budget &budget, remote::Operation &operation) {
  const web::SignalGuard guard; // the server may close the connection
  const ApiAccess api{
      settings.apiUrl.url,
      settings.apiRepository,
      access.token,
      {settings.apiUrl.host, settings.caFile, access.agent, settings.allowPrivateAddresses}};
  return ApiUpdate(settings, api, known, store, budget, operation).run();
}

} // namespace skillhost::github
