// SPDX-License-Identifier: Apache-2.0
// Replicas of one service that share a source, and the remote that the source asks.
#pragma once

#include "catch2.hpp"
#include "sharing/shared_source.hpp"
#include "skills/library.hpp"
#include "state_in_memory.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace sharing_test {

using namespace skillhost;
using namespace std::chrono_literals;

inline std::string skillText(const std::string &name, const std::string &body = "Body.") {
  return "---\nname: " + name + "\ndescription: Does it.\n---\n" + body + "\n";
}

// What is asked over the network.
struct Remote {
  using Files = std::map<std::pair<std::string, std::string>, std::string>;
  std::mutex mutex;
  Files files; // under the lock, as what follows
  std::string revision = "1";
  std::map<std::string, std::string> facts;
  bool away = false, goesBack = true;
  Fault unreadable = Fault::Stale; // of b/notes.md, when it is another
  std::atomic<int> lists{0}, reads{0}, made{0}, instances{0};

  void become(Files next, std::string name) {
    const std::scoped_lock lock(mutex);
    files = std::move(next);
    revision = std::move(name);
  }
};

// Asks it at every list, and serves what it was told last until then.
class RemoteSource final : public Source {
public:
  explicit RemoteSource(std::shared_ptr<Remote> remote) : remote_(std::move(remote)) {
    ++remote_->made;
    ++remote_->instances;
  }
  ~RemoteSource() override { --remote_->instances; }
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  bool goesBack() const noexcept override { return remote_->goesBack; }
  void list(CallOptions, Answer<Snapshot> answer) override {
    ++remote_->lists;
    answer(listed());
  }
  void changes(CallOptions, std::string since, Answer<Changes> answer) override {
    const auto [isAway, isSame] = [&] {
      const std::scoped_lock lock(remote_->mutex);
      return std::pair(remote_->away, since == listed_);
    }();
    if (isAway) return answer({Fault::Unavailable, "the remote is away"});
    if (!isSame) return answer({Fault::Stale, "list again"});
    answer(Changes{since, {}, {}, {}});
  }
  void read(CallOptions, Document document, std::size_t limit,
            Answer<std::string> answer) override {
    answer(bytesOf(document, limit));
  }
  void readEach(CallOptions, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override {
    for (std::size_t i = 0; i < documents.size(); ++i) each(i, bytesOf(documents[i], limit));
    done();
  }

private:
  Result<Snapshot> listed() {
    const std::scoped_lock lock(remote_->mutex);
    if (remote_->away) return {Fault::Unavailable, "the remote is away"};
    listed_ = remote_->revision;
    Snapshot made{remote_->revision, {}, remote_->facts, {}};
    for (const auto &[place, bytes] : remote_->files)
      made.documents.push_back({place.first, place.second,
                                std::to_string(std::hash<std::string>{}(bytes)),
                                "https://example.org/" + place.first, bytes.size(),
                                place.second == "SKILL.md", place.second.ends_with(".sh")});
    return made;
  }
  Result<std::string> bytesOf(const Document &document, std::size_t limit) {
    ++remote_->reads;
    const std::scoped_lock lock(remote_->mutex);
    if (remote_->unreadable != Fault::Stale && document.path == "notes.md")
      return {remote_->unreadable, "no notes"};
    const auto found = remote_->files.find({document.skill, document.path});
    if (found == remote_->files.end() ||
        document.revision != std::to_string(std::hash<std::string>{}(found->second)))
      return {Fault::Stale, "that revision is gone"};
    if (found->second.size() > limit) return {Fault::TooLarge, "too large"};
    return found->second;
  }

  const std::string name_ = "team";
  const std::shared_ptr<Remote> remote_;
  std::string listed_; // under the remote's lock
};

struct ReplicaSettings {
  std::string folder, mark = "0123456789abcdef", secret = std::string(32, 's');
  std::chrono::milliseconds lease = 10s, look = 30s, rest = 30s;
  std::function<Result<std::shared_ptr<Source>>()> make;
};

// One of them, with a library as the host has it.
class Replica {
public:
  Replica(const std::shared_ptr<StateEngine> &engine, const std::shared_ptr<Remote> &remote,
          const ReplicaSettings &settings)
      : backend_(std::make_shared<StateInMemory>(engine)),
        state_(std::make_shared<SharedState>(
            backend_, SharedStateSettings{"test", Secret(settings.secret), 1000ms})),
        source_(std::make_shared<SharedSource>(
            SourceSharing::make(state_),
            SharedSourceSettings{"team", settings.folder, settings.mark, settings.lease,
                                 settings.look, 10s, settings.rest},
            settings.make ? settings.make : [remote]() -> Result<std::shared_ptr<Source>> {
              return std::shared_ptr<Source>(std::make_shared<RemoteSource>(remote));
            })),
        library_(rules(), 1ms) {
    library_.onChange([this](const auto &, const auto &) { wake(); });
    library_.start({source_});
  }
  ~Replica() {
    library_.stop();
    state_->stop();
  }
  Replica(const Replica &) = delete;
  Replica &operator=(const Replica &) = delete;

  // As if it were killed: it gives nothing back and says nothing.
  void cutOff() { backend_->stop(); }

  Library &library() { return library_; }
  const SharedSource &source() const { return *source_; }
  SharedState &state() { return *state_; }

  // Waits until the catalogue is so; the test's own timeout is the limit.
  void await(const std::function<bool(const Catalogue &)> &isSo) {
    std::unique_lock lock(mutex_);
    while (!isSo(*library_.catalogue())) changed_.wait_for(lock, 20ms);
  }
  void awaitSkills(std::size_t count) {
    await([&](const Catalogue &catalogue) { return catalogue.entries().size() == count; });
  }
  // Of the source; "" when all is well.
  std::string failure() {
    const auto catalogue = library_.catalogue(); // which is held: the library replaces its own
    for (const SourceStatus &status : catalogue->sources()) return status.failure;
    return {};
  }

  Result<std::string> read(const std::string &skill, const std::string &path) {
    const auto catalogue = library_.catalogue();
    for (const CatalogueEntry &entry : catalogue->entries())
      for (const Document &document : entry.skill->files)
        if (document.skill == skill && document.path == path) return read(document);
    return {Fault::NotFound, "no such document"};
  }
  Result<std::string> read(const Document &document) {
    const auto answer = std::make_shared<std::promise<Result<std::string>>>();
    source_->read({Deadline::after(10s), {}, {}, {}}, document, 1 << 20,
                  [answer](Result<std::string> bytes) { answer->set_value(std::move(bytes)); });
    return answer->get_future().get();
  }
  Result<Snapshot> list() {
    const auto answer = std::make_shared<std::promise<Result<Snapshot>>>();
    source_->list({Deadline::after(10s), {}, {}, {}},
                  [answer](Result<Snapshot> all) { answer->set_value(std::move(all)); });
    return answer->get_future().get();
  }

private:
  static SkillRules rules() {
    SkillRules rules;
    rules.sourceDeadline = 10s;
    return rules;
  }
  void wake() {
    const std::scoped_lock lock(mutex_);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::shared_ptr<StateInMemory> backend_;
  const std::shared_ptr<SharedState> state_;
  const std::shared_ptr<SharedSource> source_;
  Library library_;
};

} // namespace sharing_test
