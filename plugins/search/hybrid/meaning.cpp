// SPDX-License-Identifier: Apache-2.0
#include "meaning.hpp"

#include "keyword/query.hpp"

#include <skillhost/plugin.hpp>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace skillhost::hybrid {
namespace {

constexpr std::size_t maxSentences = 8;
// Number of vectors published at once: few enough to appear soon, many enough to cost little
// compared with the embedding.
constexpr std::size_t entriesAtOnce = 32;
constexpr int lowPriority = 10;

// The median cosine of all-MiniLM-L6-v2 that embedding::measureScale() measures.
constexpr double medianOfMiniLm = 0.025348;

Blake3::Digest digestOf(std::string_view text) {
  Blake3 sum;
  sum.add(text);
  return sum.finish();
}

struct Stopped {}; // thrown if the object is being destroyed

} // namespace

Meaning::Meaning(MeaningOptions options, std::function<void(const MeaningProgress &)> tell)
    : options_(std::move(options)), tell_(std::move(tell)), thread_([this] { run(); }) {}

Meaning::~Meaning() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Meaning::put(std::string_view id, std::string passage) {
  const std::scoped_lock lock(mutex_);
  collected_[std::string(id)] = std::move(passage);
}

void Meaning::remove(std::string_view id) {
  const std::scoped_lock lock(mutex_);
  collected_[std::string(id)] = std::nullopt;
}

void Meaning::clear() {
  const std::scoped_lock lock(mutex_);
  collected_.clear();
  replacesCollected_ = true;
}

void Meaning::commit() {
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(replacesCollected_, false)) {
      committed_.clear();
      replacesCommitted_ = true;
    }
    for (auto &[id, change] : collected_) committed_[id] = std::move(change);
    collected_.clear();
    hasCommitted_ = true;
    ++commits_;
  }
  changed_.notify_all();
}

MeaningProgress Meaning::progress() const {
  const std::scoped_lock lock(mutex_);
  return progress_;
}

void Meaning::setProblem(std::string problem) {
  const std::scoped_lock lock(mutex_);
  progress_.problem = std::move(problem);
}

void Meaning::report() {
  MeaningProgress now;
  {
    const std::scoped_lock lock(mutex_);
    progress_.entries = wanted_.size();
    progress_.embedded = wanted_.size() - waiting_.size();
    taken_ = taking_;
    now = progress_;
  }
  reported_.notify_all();
  tell_(now);
}

std::string Meaning::settle(const std::function<void(const MeaningProgress &)> &checkpoint) const {
  constexpr std::chrono::milliseconds pause{50};
  const auto isOver = [this] {
    return hasEnded_ ||
           (progress_.hasModel && taken_ == commits_ && progress_.embedded == progress_.entries);
  };
  std::unique_lock lock(mutex_);
  while (!reported_.wait_for(lock, pause, isOver)) {
    const MeaningProgress now = progress_;
    lock.unlock();
    checkpoint(now);
    lock.lock();
  }
  return hasEnded_ ? progress_.problem : std::string();
}

bool Meaning::readModel() {
  const auto checkpoint = [this] {
    const std::scoped_lock lock(mutex_);
    if (stopping_) throw Stopped{};
  };
  try {
    auto model = loadModel(options_.model, options_.instructions, checkpoint);
    const embedding::ModelDescription &description = model->encoder.description();
    const std::size_t width = description.width;
    cache_ = std::make_unique<VectorCache>(options_.cacheFile, model->digest, width);
    std::string queryPrefix = options_.queryPrefix.value_or(description.queryPrefix);
    std::string passagePrefix = options_.passagePrefix.value_or(description.passagePrefix);
    auto scale = embedding::measureScale(model->encoder, queryPrefix, passagePrefix, checkpoint);
    const std::scoped_lock lock(mutex_);
    queryPrefix_ = std::move(queryPrefix);
    passagePrefix_ = std::move(passagePrefix);
    scale_ = std::move(scale);
    model_ = std::move(model);
    table_ = std::make_unique<VectorTable>(width);
    progress_.hasModel = true;
    progress_.problem = cache_->problem();
    return true;
  } catch (const Stopped &) {
    return false;
  } catch (const skh::Error &error) {
    setProblem(error.what());
  } catch (const std::exception &error) {
    setProblem(options_.model + ": the model cannot be read: " + error.what());
  }
  return false;
}

void Meaning::run() {
  // Linux keeps a priority per thread, so this lowers only this thread's.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), lowPriority);
  const bool usable = readModel();
  const bool isStopped = !usable && progress().problem.empty();
  if (!isStopped) report();
  if (usable) work();
  {
    const std::scoped_lock lock(mutex_);
    hasEnded_ = true;
  }
  reported_.notify_all();
}

void Meaning::work() {
  constexpr std::chrono::milliseconds pause{200}; // between two looks at another process's work
  for (;;) {
    Changes changes;
    bool whole = false;
    bool isReplacing = false;
    {
      std::unique_lock lock(mutex_);
      const auto isAwaited = [this] { return stopping_ || hasCommitted_; };
      if (shouldWait())
        changed_.wait_for(lock, pause, isAwaited);
      else
        changed_.wait(lock, [&] { return isAwaited() || !waiting_.empty(); });
      if (stopping_) return;
      whole = hasCommitted_;
      taking_ = commits_;
      hasCommitted_ = false;
      changes.swap(committed_);
      isReplacing = std::exchange(replacesCommitted_, false);
    }
    try {
      if (whole) take(std::move(changes), isReplacing);
      takeKept();
      if (!shouldWait()) embedSome();
    } catch (const std::exception &error) {
      // Vectors in the table stay. The other entries are only found by their words.
      setProblem(std::string("no further entries are embedded: ") + error.what());
      report();
      return;
    }
    report();
  }
}

void Meaning::take(Changes changes, bool isReplacing) {
  const bool nothingWaits = waiting_.empty();
  if (isReplacing) // an entry that is put again keeps its vector
    for (const auto &[id, wanted] : wanted_) changes.try_emplace(id, std::nullopt);
  for (auto &[id, passage] : changes) {
    waiting_.erase(id);
    if (!passage) {
      wanted_.erase(id);
      table_->remove(id);
      continue;
    }
    const std::string text = passagePrefix_ + *passage;
    const Blake3::Digest digest = digestOf(text);
    if (const auto known = wanted_.find(id);
        known != wanted_.end() && known->second.text == digest && known->second.passage.empty())
      continue; // only other parts of the entry have changed
    Wanted &wanted = wanted_[id];
    wanted.text = digest;
    if (const auto kept = cache_->find(digest)) {
      wanted.passage.clear();
      table_->put(id, *kept);
    } else {
      // The old vector belongs to another text.
      table_->remove(id);
      wanted.passage = text;
      waiting_[id] = digest;
    }
  }
  table_->publish();
  // Later changes do not prolong the wait, because skills may change all the time.
  if (nothingWaits) lastMade_ = std::chrono::steady_clock::now();
  if (!cache_->isWasteful(wanted_.size())) return;
  std::vector<Blake3::Digest> texts;
  texts.reserve(wanted_.size());
  for (const auto &[id, wanted] : wanted_) texts.push_back(wanted.text);
  cache_->compact(texts);
}

void Meaning::takeKept() {
  if (!cache_->isFollowing()) return;
  const std::size_t before = cache_->size();
  cache_->refresh();
  if (!cache_->problem().empty()) setProblem(cache_->problem());
  if (cache_->size() != before) lastMade_ = std::chrono::steady_clock::now();
  for (auto waiting = waiting_.begin(); waiting != waiting_.end();) {
    const auto kept = cache_->find(waiting->second);
    if (kept) {
      table_->put(waiting->first, *kept);
      wanted_.find(waiting->first)->second.passage = {};
    }
    waiting = kept ? waiting_.erase(waiting) : std::next(waiting);
  }
  table_->publish();
  if (cache_->isFollowing()) return;
  // The other process has ended. What this one has made is kept from now on.
  std::vector<std::pair<Blake3::Digest, QuantisedVector>> made;
  for (const auto &[id, wanted] : wanted_)
    if (!cache_->find(wanted.text))
      if (auto vector = table_->vector(id)) made.emplace_back(wanted.text, *std::move(vector));
  cache_->append(made);
}

bool Meaning::shouldWait() const {
  constexpr std::chrono::seconds patience{5}; // a model of usual size is read in that time
  return !waiting_.empty() && cache_->isFollowing() && !cache_->isReadOnly() &&
         cache_->isOfThisModel() && std::chrono::steady_clock::now() - lastMade_ < patience;
}

void Meaning::embedSome() {
  std::vector<std::pair<Blake3::Digest, QuantisedVector>> made;
  std::vector<std::string> ids;
  for (const auto &[id, text] : waiting_) {
    if (ids.size() == entriesAtOnce) break;
    ids.push_back(id);
  }
  for (const std::string &id : ids) {
    {
      const std::scoped_lock lock(mutex_);
      if (stopping_) break;
    }
    Wanted &wanted = wanted_.find(id)->second;
    try {
      QuantisedVector vector = quantised(embed(wanted.passage));
      table_->put(id, vector);
      made.emplace_back(wanted.text, std::move(vector));
    } catch (const skh::Error &why) {
      // A text for which the weights fail must not prevent the others.
      if (progress().problem.empty())
        setProblem(id + " is found by its words alone: " + why.what());
    }
    wanted.passage = {};
    waiting_.erase(id);
  }
  cache_->append(made);
  if (!cache_->problem().empty()) setProblem(cache_->problem());
  table_->publish();
}

double Meaning::comparable(double cosine) const {
  static const embedding::CosineScale ofMiniLm(std::vector<double>{medianOfMiniLm});
  return std::max(ofMiniLm.cosineOf(scale_->relativeOf(cosine)), -1.0);
}

std::vector<float> Meaning::embed(std::string_view text) const {
  std::unique_lock lock(mutex_);
  embedding::Encoder::Workspace workspace;
  if (!workspaces_.empty()) {
    workspace = std::move(workspaces_.back());
    workspaces_.pop_back();
  }
  lock.unlock();
  std::vector<float> vector = model_->encoder.embed(text, workspace);
  lock.lock();
  workspaces_.push_back(std::move(workspace));
  return vector;
}

std::unique_ptr<QuestionVectors> Meaning::question(std::string_view text,
                                                   const std::function<void()> &checkpoint) const
    try {
  if (!progress().hasModel) return nullptr;
  auto vectors = std::make_unique<QuestionVectors>();
  std::vector<std::string_view> sentences = keyword::sentencesOf(text);
  if (sentences.size() < 2) {
    vectors->whole =
        quantised(embed(queryPrefix_ + std::string(text.substr(0, keyword::longestQuery))));
    return vectors;
  }
  sentences.resize(std::min(sentences.size(), maxSentences));
  // The mean of the sentences stands for the whole text, which saves another pass.
  std::vector<float> sum;
  for (const std::string_view sentence : sentences) {
    checkpoint();
    const std::vector<float> one = embed(queryPrefix_ + std::string(sentence));
    sum.resize(one.size());
    for (std::size_t at = 0; at < one.size(); ++at) sum[at] += one[at];
    vectors->sentences.push_back(quantised(one));
  }
  float squares = 0;
  for (const float each : sum) squares += each * each;
  const float length = std::max(std::sqrt(squares), 1e-9F);
  for (float &each : sum) each /= length;
  vectors->whole = quantised(sum);
  return vectors;
} catch (const skh::Error &why) {
  // SKH_INVALID comes from the encoder. What `checkpoint` throws has another status.
  if (why.status() != SKH_INVALID) throw;
  return nullptr;
}

} // namespace skillhost::hybrid
