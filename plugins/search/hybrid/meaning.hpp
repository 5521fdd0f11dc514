// SPDX-License-Identifier: Apache-2.0
// What texts mean, as vectors: those of entries are made by a thread of its own at low priority,
// and kept; that of a question is made when it is asked.
#pragma once

#include "embedding/encoder.hpp"
#include "ground/blake3.hpp"
#include "vector_cache.hpp"
#include "vector_table.hpp"

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
  std::string model;                 // a folder; empty: no meaning
  std::string instructions = "auto"; // see embedding::kernelsCalled()
  // Put before every question and entry; nothing: what the folder says.
  std::optional<std::string> queryPrefix, passagePrefix;
  std::string cacheFile; // empty: nothing is kept
};

struct MeaningProgress {
  std::size_t entries = 0;  // that are to have a vector
  std::size_t embedded = 0; // that have one
  std::string problem;      // why there is no model, or nothing is kept; empty: all is well
  bool hasModel = false;    // it is there and read
};

// The vectors of a question.
struct QuestionVectors {
  QuantisedVector whole;
  std::vector<QuantisedVector> sentences; // none when there is only one
};

// Any thread may call anything.
class Meaning {
public:
  // Reads nothing yet: the thread does, so that a start does not wait. `tell` is called by it when
  // something has changed; it must not throw, and ends with the object.
  Meaning(MeaningOptions options, std::function<void(const MeaningProgress &)> tell);
  Meaning(const Meaning &) = delete;
  Meaning &operator=(const Meaning &) = delete;
  ~Meaning();

  // Taken up with the next commit().
  void put(std::string_view id, std::string passage);
  void remove(std::string_view id);
  void clear(); // all that was put so far
  // Returns at once.
  void commit();

  MeaningProgress progress() const;
  // Returns when every entry that was committed has its vector, or when one will never have: why
  // then, else nothing. Calls `checkpoint` every 50 ms; it may throw to give up.
  std::string settle(const std::function<void(const MeaningProgress &)> &checkpoint) const;
  // Null while there is no model, when entries have no vectors either, and for a text that the
  // weights are no good for. Throws what `checkpoint` does.
  std::unique_ptr<QuestionVectors> question(std::string_view text,
                                            const std::function<void()> &checkpoint) const;
  // While there is a model.
  const VectorTable &table() const { return *table_; }
  const embedding::Kernels &kernels() const { return *kernels_; }

private:
  struct Wanted {
    Blake3::Digest text{};
    std::string passage; // empty once embedded
  };
  using Changes = std::map<std::string, std::optional<std::string>, std::less<>>;

  void run();
  bool readModel();
  void take(Changes changes, bool anew);
  void embedSome();
  void report();
  void work();
  std::vector<float> embed(std::string_view text) const;
  void setProblem(std::string problem);

  const MeaningOptions options_;
  const std::function<void(const MeaningProgress &)> tell_;

  // The thread's own.
  std::unique_ptr<VectorCache> cache_;
  std::map<std::string, Wanted, std::less<>> wanted_;          // all entries
  std::map<std::string, Blake3::Digest, std::less<>> waiting_; // of them those without a vector
  std::uint64_t taking_ = 0; // commits whose changes are in wanted_

  mutable std::mutex mutex_; // guards what follows
  std::condition_variable changed_;
  mutable std::condition_variable reported_;
  Changes collected_, committed_;
  bool isCleared_ = false, isAnew_ = false; // before what is collected; before what is committed
  bool hasCommitted_ = false;
  std::uint64_t commits_ = 0, taken_ = 0; // taken_: of them, those that progress_ tells of
  bool hasEnded_ = false;                 // nothing more will be embedded
  bool stopping_ = false;
  MeaningProgress progress_;
  // Set once, before progress_.hasModel; not changed afterwards.
  std::unique_ptr<const embedding::Encoder> encoder_;
  const embedding::Kernels *kernels_ = nullptr;
  std::string queryPrefix_, passagePrefix_;
  std::unique_ptr<VectorTable> table_;
  mutable std::vector<embedding::Encoder::Workspace> workspaces_;

  std::thread thread_; // last: it uses all the others
};

} // namespace skillhost::hybrid
