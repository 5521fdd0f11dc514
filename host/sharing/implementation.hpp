// SPDX-License-Identifier: Apache-2.0
// The parts of a shared source: what is served (shared_source.cpp), who asks (leading.cpp), and how
// what was asked comes into the folder (publishing.cpp).
#pragma once

#include "base/metrics.hpp"
#include "folder.hpp"
#include "folder_call.hpp"
#include "ground/guarded.hpp"
#include "sharing/manifest.hpp"
#include "sharing/shared_source.hpp"
#include "state/lease.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

class SharedSource::Implementation : public std::enable_shared_from_this<Implementation> {
public:
  Implementation(std::shared_ptr<SourceSharing> sharing, SharedSourceSettings settings, Make make);

  void begin(std::function<void()> listener);
  void end();
  const std::string &name() const noexcept { return settings_.name; }
  bool leads() const;

  void list(const CallOptions &options, Answer<Snapshot> answer);
  void changes(const CallOptions &options, std::string since, Answer<Changes> answer);
  void read(const CallOptions &options, Document document, std::size_t limit,
            Answer<std::string> answer);
  void readEach(const CallOptions &options, std::vector<Document> documents, std::size_t limit,
                Each each, std::function<void()> done);

private:
  using Clock = Timer::Clock;
  using ManifestPointer = std::shared_ptr<const SharedManifest>;
  using What = SourceSharing::What;

  // What is served.
  void listNow(const CallOptions &options, const Answer<Snapshot> &answer);
  void changesNow(const CallOptions &options, const std::string &since,
                  const Answer<Changes> &answer);
  void readNow(const CallOptions &options, const Document &document, std::size_t limit,
               const Answer<std::string> &answer);
  // Takes over what the folder has, when it is newer; true when it was.
  Result<bool> look();
  Result<bool> lookAt(const SharedHead &head);
  ManifestPointer served() const; // null: nothing yet
  void adopt(const ManifestPointer &manifest, SharedHead head, const Source *from,
             std::string revisionThere);
  void await(const CallOptions &options, const Answer<Snapshot> &answer);
  void answerWaiting(const Failure &why, Clock::time_point until);
  Result<Changes> changesSince(const std::string &since);
  void hint();
  // Looks soon, and has the source asked what is new when there is something.
  void lookSoon();
  void told(What what, const std::string &text);
  void run(std::function<void()> body); // on the executor, for nobody
  void at(Clock::time_point due, void (Implementation::*what)());

  // Who asks.
  void takePart();
  void tick();
  void holds(bool held);
  void disturbed();
  void settled();
  void reconsider();
  bool shouldLead(); // under the lock
  void lead();
  void leave(const std::shared_ptr<Source> &source);
  void resign(const std::string &why);
  std::shared_ptr<Source> inner() const;

  // How it comes into the folder.
  struct Asked {
    bool full = false; // the whole list, and not only what the source knows to have changed
    CallOptions options;
    std::function<void(const Status &)> done;
  };
  struct Round;
  void ask(Asked asked);
  void beginRound();
  void step(const std::shared_ptr<Round> &round, std::function<void()> body);
  void listFor(const std::shared_ptr<Round> &round);
  void changesFor(const std::shared_ptr<Round> &round, const std::string &since);
  void take(const std::shared_ptr<Round> &round, Snapshot snapshot);
  void fetch(const std::shared_ptr<Round> &round, std::vector<Document> unread,
             std::vector<std::size_t> places);
  void fetched(const std::shared_ptr<Round> &round);
  Status write(Round &round);
  void endRound(const std::shared_ptr<Round> &round, const Status &status);
  void sweep();
  void mend(const std::string &digest);
  void refetch(const CallOptions &options, const Document &document, const SharedObject &object,
               const Answer<std::string> &answer);

  const std::shared_ptr<SourceSharing> sharing_;
  const SharedSourceSettings settings_;
  const std::string shared_; // what all replicas call it
  const Make make_;
  SharedFolder folder_;
  PluginExecutor executor_;
  std::shared_ptr<SourceSharing::Listener> listening_;
  metrics::Gauge &leading_;
  metrics::Counter &written_, &damaged_;

  std::mutex looking_;  // one look at a time; before mutex_
  std::mutex deciding_; // who leads; before mutex_
  mutable std::mutex mutex_;
  std::function<void()> listener_;
  bool ended_ = false;

  ManifestPointer known_, previous_;
  SharedHead head_; // of known_
  struct Waiting {
    Clock::time_point until;
    Answer<Snapshot> answer;
  };
  std::vector<Waiting> waiting_; // for the first manifest
  std::string trouble_;          // why whoever leads could not ask, "" while all is well
  std::string warned_;           // of the folder, so that it is told once
  bool hasListed_ = false;
  bool wasStale_ = false; // the next list is for want of history here
  bool wantsAll_ = false; // the next time the source is asked, for its whole list

  std::unique_ptr<Lease> lease_;
  bool held_ = false, isResting_ = false;
  std::shared_ptr<Source> inner_;     // where this one leads
  const Source *knownFrom_ = nullptr; // the instance that known_ was asked of; null: another one
  std::string knownThere_;            // and the revision there
  std::optional<Clock::time_point> backSince_, awaySince_; // the engine; one of them

  bool isAsking_ = false, hasFailed_ = false;
  std::vector<Asked> asked_; // for the round after
  Clock::time_point sweepDue_{};
};

} // namespace skillhost
