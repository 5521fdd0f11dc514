// SPDX-License-Identifier: Apache-2.0
// A search plugin that keeps its index as a file in the cache folder, and lists it right or wrong,
// as its configuration says:
//    held     good (the default), huge (more than a million entries), deaf (more than 256 MiB, and
//             goes on after a refusal), twice, no_id, long, failing, unsupported
//    allowed  a file with a number: a commit waits until it is at least that of the commit
// Counters: keeping.put, keeping.removed, keeping.commit, keeping.held.

#include <skillhost/held.hpp>
#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

using nlohmann::json;

struct Kept {
  std::string revision, text;
};
using Entries = std::map<std::string, Kept, std::less<>>;

class Keeping final : public skh::Search, public skh::Held {
public:
  Keeping(skh::Host host, const skh::Call & /*call*/)
      : host_(host), config_(json::parse(host.config())), held_(config_.value("held", "good")) {
    std::ifstream kept(file());
    if (!kept) return;
    const json all = json::parse(kept, nullptr, false);
    if (all.is_discarded()) return; // a damaged file counts as a new one
    generation_ = all.at("generation");
    for (const auto &[id, one] : all.at("entries").items())
      shown_[id] = {one.at("revision"), one.at("text")};
    next_ = shown_;
  }

  void put(const skh::Call & /*call*/, const skh::EntryText &entry) override {
    host_.count("keeping.put");
    std::string text(entry.name);
    for (const std::string_view part : {entry.description, entry.body, entry.attributes})
      (text += ' ') += part;
    next_[std::string(entry.id)] = {std::string(entry.revision), std::move(text)};
  }
  void remove(const skh::Call & /*call*/, std::string_view id) override {
    host_.count("keeping.removed");
    if (const auto found = next_.find(id); found != next_.end()) next_.erase(found);
  }
  void commit(const skh::Call &call, std::string_view generation) override {
    awaitLeave(call);
    host_.count("keeping.commit");
    const std::scoped_lock lock(mutex_);
    shown_ = next_;
    generation_ = generation;
    json entries = json::object();
    for (const auto &[id, kept] : shown_)
      entries[id] = {{"revision", kept.revision}, {"text", kept.text}};
    if (host_.cacheDir().empty()) return;
    std::ofstream(file() + ".new") << json{{"generation", generation_}, {"entries", entries}};
    std::filesystem::rename(file() + ".new", file());
  }
  std::string generation(const skh::Call & /*call*/) override {
    const std::scoped_lock lock(mutex_);
    return generation_;
  }

  // Finds the entries with any of the words, in order of the id.
  void query(const skh::Call & /*call*/, std::string_view text, std::string_view /*filter*/,
             std::uint32_t limit, const skh::Hits &out) override {
    const std::scoped_lock lock(mutex_);
    for (const auto &[id, kept] : shown_) {
      if (limit == 0 || !hasWordOf(kept.text, text)) continue;
      out.add({id, 1, {}});
      --limit;
    }
  }

  void held(const skh::Call & /*call*/, const skh::HeldEntries &out) override {
    host_.count("keeping.held");
    if (held_ == "failing") throw skh::Error(SKH_CORRUPT, "the list is damaged");
    if (held_ == "unsupported") throw skh::Error(SKH_UNSUPPORTED, "no list today");
    if (held_ == "huge" || held_ == "deaf") return flood(out);
    const std::scoped_lock lock(mutex_);
    for (const auto &[id, kept] : shown_) {
      out.add(held_ == "no_id" ? "" : id, held_ == "long" ? std::string(5000, 'x') : kept.revision);
      if (held_ == "twice") out.add(id, kept.revision);
    }
  }

private:
  std::string file() const { return std::string(host_.cacheDir()) + "/kept.json"; }

  // Lists too many entries ("huge"), or too many bytes without regard to a refusal ("deaf").
  void flood(const skh::HeldEntries &out) const {
    const bool isDeaf = held_ == "deaf";
    const int many = isDeaf ? 150'000 : 1'100'000;
    const std::string revision(isDeaf ? 2000 : 1, '1');
    for (int i = 0; i < many; ++i) try {
        out.add("made/up-" + std::to_string(i), revision);
      } catch (const skh::Error &) {
        if (!isDeaf) throw;
      }
  }

  void awaitLeave(const skh::Call &call) {
    ++commits_;
    if (!config_.contains("allowed")) return;
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
      call.point();
      int allowed = 0;
      std::ifstream(config_.at("allowed").get<std::string>()) >> allowed;
      if (allowed >= commits_) return;
    }
  }

  static bool hasWordOf(std::string_view text, std::string_view words) {
    while (!words.empty()) {
      const std::string_view word = words.substr(0, words.find(' '));
      if (!word.empty() && text.find(word) != std::string_view::npos) return true;
      words.remove_prefix(std::min(words.size(), word.size() + 1));
    }
    return false;
  }

  const skh::Host host_;
  const json config_;
  const std::string held_;
  int commits_ = 0;
  Entries next_;             // used by the writer alone
  mutable std::mutex mutex_; // guards the state that queries read
  Entries shown_;
  std::string generation_;
};

constexpr const char *schema = R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "type": "object",
  "properties": {"held": {"type": "string"}, "allowed": {"type": "string"}},
  "additionalProperties": false
})";

} // namespace

SKH_PLUGIN(skh::withExtensions<skh::HeldOps<Keeping>>(
    skh::search<Keeping>("test.keeping", "1.0.0", "Keeps its index in a file", schema)));
