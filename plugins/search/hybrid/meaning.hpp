// SPDX-License-Identifier: Apache-2.0
// Turns texts into vectors of their meaning. A background thread embeds entries at low priority and
// keeps the vectors. A question is embedded when it is asked.
#pragma once

#include "embedding/cosine_scale.hpp"
#include "embedding/encoder.hpp"
#include "ground/blake3.hpp"
#include "loaded_model.hpp"
#include "vector_cache.hpp"
#include "vector_table.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace skillhost::hybrid {

struct MeaningOptions {
  std::string model;                 // folder of the model; empty: no meaning
  std::string instructions = "auto"; // see embedding::kernelsCalled()
  // Texts put before every question and entry; nothing: as the model's folder specifies.
  std::optional<std::string> queryPrefix, passagePrefix;
  std::string cacheFile; // empty: vectors are not kept
};

struct MeaningProgress {
  std::size_t entries = 0;  // entries that need a vector
  std::size_t embedded = 0; // entries that have one
  std::string problem;      // reason why there is no model or nothing is kept; empty: none
  bool hasModel = false;    // the model was read
};

// The vectors of a question.
struct QuestionVectors {
  QuantisedVector whole;
  std::vector<QuantisedVector> sentences; // empty if there is only one sentence
};

// Any thread may call any function.
class Meaning {
public:
  // Returns before the model is read, which the thread does, so that a start does not wait. The
  // thread calls `tell` after changes. `tell` must not throw and is not called after destruction.
  Meaning(MeaningOptions options, std::function<void(const MeaningProgress &)> tell);
  Meaning(const Meaning &) = delete;
  Meaning &operator=(const Meaning &) = delete;
  ~Meaning();

  // Changes take effect with the next commit().
  void put(std::string_view id, std::string passage);
  void remove(std::string_view id);
  void clear(); // removes all entries put so far
  // Returns at once.
  void commit();

  MeaningProgress progress() const;
  // Returns when every committed entry has its vector, or when some never will; returns the reason
  // then, else nothing. Calls `checkpoint` every 50 ms, which may throw to stop.
  std::string settle(const std::function<void(const MeaningProgress &)> &checkpoint) const;
  // Returns null while there is no model, because entries have no vectors then either, and for a
  // text for which the weights fail. Throws what `checkpoint` throws.
  std::unique_ptr<QuestionVectors> question(std::string_view text,
                                            const std::function<void()> &checkpoint) const;
  // Must only be called while there is a model.
  const VectorTable &table() const { return *table_; }
  const embedding::Kernels &kernels() const { return model_->kernels; }
  // Returns the cosine that means the same in all-MiniLM-L6-v2, with which the settings and the
  // scores were chosen. Equal texts have 1 in every model.
  double comparable(double cosine) const;

private:
  struct Wanted {
    Blake3::Digest text{};
    std::string passage; // empty after embedding
  };
  using Changes = std::map<std::string, std::optional<std::string>, std::less<>>;

  void run();
  bool readModel();
  void take(Changes changes, bool isReplacing);
  // Gives waiting entries the vectors that another process has made meanwhile.
  void takeKept();
  // Returns true if another process is likely to make the missing vectors soon.
  bool shouldWait() const;
  void embedSome();
  void report();
  void work();
  std::vector<float> embed(std::string_view text) const;
  void setProblem(std::string problem);

  const MeaningOptions options_;
  const std::function<void(const MeaningProgress &)> tell_;

  // Only the thread uses these.
  std::unique_ptr<VectorCache> cache_;
  std::map<std::string, Wanted, std::less<>> wanted_;          // all entries
  std::map<std::string, Blake3::Digest, std::less<>> waiting_; // entries without a vector
  std::uint64_t taking_ = 0; // number of commits whose changes are in wanted_
  // The time at which the process that writes the file last added a vector, or at which the first
  // text began to wait.
  std::chrono::steady_clock::time_point lastMade_{};

  mutable std::mutex mutex_; // guards the members below
  std::condition_variable changed_;
  mutable std::condition_variable reported_;
  Changes collected_, committed_;
  // A clear() preceded the collected changes; a clear() preceded the committed changes.
  bool replacesCollected_ = false, replacesCommitted_ = false;
  bool hasCommitted_ = false;
  std::uint64_t commits_ = 0, taken_ = 0; // taken_: commits covered by progress_
  bool hasEnded_ = false;                 // no more entries will be embedded
  bool stopping_ = false;
  MeaningProgress progress_;
  // Set once, before progress_.hasModel, and never changed afterwards.
  std::shared_ptr<const LoadedModel> model_;
  std::optional<embedding::CosineScale> scale_;
  std::string queryPrefix_, passagePrefix_;
  std::unique_ptr<VectorTable> table_;
  mutable std::vector<embedding::Encoder::Workspace> workspaces_;

  std::thread thread_; // last, because it uses all other members
};

} // namespace skillhost::hybrid
