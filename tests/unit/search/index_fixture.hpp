// SPDX-License-Identifier: Apache-2.0
// An index with a source and a backend in memory, which answer when the test wants it.
#pragma once

#include "search/index.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

// Answers on the calling thread from its own members; counts reads.
class MemorySource final : public Source {
public:
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  void list(CallOptions, ResultCallback<Snapshot>) override {}
  void changes(CallOptions, std::string, ResultCallback<Changes>) override {}
  void read(CallOptions, Document, std::size_t, ResultCallback<std::string>) override {}
  void readEach(CallOptions, std::vector<Document> documents, std::size_t, Each each,
                std::function<void()> done) override {
    reads += static_cast<int>(documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i)
      each(i, away != 0 && away-- != 0 ? Result<std::string>(Fault::Unavailable, "away")
                                       : "head|body of " + documents[i].skill);
    done();
  }
  int reads = 0;
  int away = 0; // number of documents that cannot be read for now

private:
  const std::string name_ = "memory";
};

class MemoryBackend final : public SearchBackend {
public:
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()> listener) override { hint = std::move(listener); }
  void stop() override { stopped = true; }
  void held(CallOptions, ResultCallback<std::optional<std::vector<HeldEntry>>> answer) override {
    ++lists;
    if (keepsLists) return keptLists.push_back([this, answer] { answer(list()); });
    answer(list());
  }
  void update(CallOptions, std::vector<SearchEntry> put, std::vector<std::string> removed,
              std::string generation, ResultCallback<Done> answer) override {
    ++updates;
    puts = put.size();
    gone = removed;
    if (failing || (failures != 0 && failures-- != 0))
      return answer({Fault::OperationFailed, "full"});
    if (stale != 0 && stale-- != 0) return answer({Fault::Stale, "the index was lost"});
    for (const std::string &id : removed) entries.erase(id);
    for (SearchEntry &entry : put) entries[entry.id] = entry;
    committed = std::move(generation);
    if (holdsUpdates) return keptAnswers.push_back(std::move(answer));
    answer(Done{});
    if (done) done();
  }
  void query(CallOptions, std::string text, std::string, std::uint32_t,
             ResultCallback<std::vector<SearchHit>> answer) override {
    std::vector<SearchHit> hits;
    for (const std::string &id : found) hits.push_back({id, 1.0, ""});
    if (found.empty()) hits.push_back({"hit for " + text, 1.0, ""});
    if (keepsQueries) return keptQueries.push_back([answer, hits] { answer(hits); });
    answer(std::move(hits));
  }
  // Returns the answer of held(): nothing unless the backend keeps an index.
  Result<std::optional<std::vector<HeldEntry>>> list() const {
    if (listFails) return {Fault::TooLarge, "more than a million entries"};
    if (!keepsIndex) return std::optional<std::vector<HeldEntry>>{};
    std::vector<HeldEntry> all;
    for (const auto &[id, entry] : entries) all.push_back({id, entry.revision});
    return std::optional(std::move(all));
  }
  bool keepsIndex = false, listFails = false;
  bool keepsLists = false; // held() stays unanswered
  std::vector<std::function<void()>> keptLists;
  int lists = 0;
  std::size_t puts = 0;           // entries of the last update
  std::vector<std::string> gone;  // removed by the last update
  std::vector<std::string> found; // ids that every query finds
  bool keepsQueries = false;      // queries stay unanswered
  std::vector<std::function<void()>> keptQueries;
  std::map<std::string, SearchEntry> entries;
  std::string committed;
  std::function<void()> hint;
  std::function<void()> done; // called after a successful update
  int updates = 0, stale = 0, failures = 0;
  bool failing = false, stopped = false;
  bool holdsUpdates = false; // updates stay unanswered
  std::vector<ResultCallback<Done>> keptAnswers;

private:
  const std::string name_ = "memory";
};

struct Fixture {
  std::shared_ptr<MemorySource> source = std::make_shared<MemorySource>();
  std::shared_ptr<MemoryBackend> backend = std::make_shared<MemoryBackend>();
  Index index{std::chrono::minutes(2),
              {std::chrono::milliseconds(1), std::chrono::milliseconds(4)}};

  SearchableEntry one(const std::string &id, const std::string &revision) {
    Document document;
    document.skill = id;
    return {id, revision, "name " + id, "about " + id, "{}", source, document, 5};
  }
  void update(std::vector<SearchableEntry> all, std::string generation, bool isComplete = true) {
    const auto shared = std::make_shared<const std::vector<SearchableEntry>>(std::move(all));
    SearchableEntries wanted;
    for (const SearchableEntry &each : *shared) wanted.keys.push_back({each.id, each.revision});
    wanted.isComplete = isComplete;
    wanted.describe = [shared](std::size_t key) { return (*shared)[key]; };
    index.update(std::move(wanted), std::move(generation));
  }
  void attach() { index.attach(std::shared_ptr<SearchBackend>(backend)); }
};

} // namespace skillhost
