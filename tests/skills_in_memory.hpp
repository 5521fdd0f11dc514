// SPDX-License-Identifier: Apache-2.0
// A source whose skills are in memory. Answers at once, on the calling thread.
#pragma once

#include "plugin/source.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace skillhost {

class SkillsInMemory : public Source {
public:
  // Maps skill and path to the bytes of a file.
  using Files = std::map<std::pair<std::string, std::string>, std::string>;

  explicit SkillsInMemory(Files files) : files_(std::move(files)) {}
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()> listener) override { listener_ = std::move(listener); }
  void stop() override {}
  void list(CallOptions, ResultCallback<Snapshot> answer) override { answer(snapshot()); }
  void changes(CallOptions, std::string, ResultCallback<Changes> answer) override {
    answer(Failure{Fault::Stale, "list again"});
  }
  void read(CallOptions, Document document, std::size_t limit,
            ResultCallback<std::string> answer) override {
    answer(bytesOf(document, limit));
  }
  void readEach(CallOptions, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override {
    for (std::size_t i = 0; i < documents.size(); ++i) each(i, bytesOf(documents[i], limit));
    done();
  }
  // Replaces the files from now on, without a notification.
  void setFiles(Files files) {
    const std::scoped_lock lock(mutex_);
    files_ = std::move(files);
    ++revision_;
  }
  // Replaces the files and notifies the host of a change.
  void become(Files files) {
    setFiles(std::move(files));
    listener_();
  }

private:
  Snapshot snapshot() {
    const std::scoped_lock lock(mutex_);
    Snapshot made;
    made.revision = std::to_string(revision_);
    for (const auto &[place, bytes] : files_) {
      Document document;
      std::tie(document.skill, document.path) = place;
      document.revision = std::to_string(std::hash<std::string>{}(bytes));
      document.length = bytes.size();
      document.entry = document.path == "SKILL.md";
      document.executable = document.path.ends_with(".sh");
      made.documents.push_back(std::move(document));
    }
    return made;
  }
  Result<std::string> bytesOf(const Document &document, std::size_t limit) {
    const std::scoped_lock lock(mutex_);
    const auto found = files_.find({document.skill, document.path});
    if (found == files_.end() ||
        document.revision != std::to_string(std::hash<std::string>{}(found->second)))
      return {Fault::Stale, "that revision is gone"};
    if (found->second.size() > limit) return {Fault::TooLarge, "too large"};
    return found->second;
  }

  const std::string name_ = "memory";
  std::mutex mutex_;
  Files files_;
  int revision_ = 1;
  std::function<void()> listener_;
};

} // namespace skillhost
