// SPDX-License-Identifier: Apache-2.0
#include "embedded.hpp"

#include "hybrid/passage.hpp"

#include <condition_variable>
#include <mutex>
#include <stdexcept>

namespace skillhost::retrieval {
namespace {

struct Progress {
  std::mutex mutex;
  std::condition_variable changed;
  hybrid::MeaningProgress last;
};

} // namespace

std::shared_ptr<const hybrid::Meaning>
embedded(const Collection &collection, const std::string &model, const std::string &cache) {
  const auto progress = std::make_shared<Progress>();
  hybrid::MeaningOptions options;
  options.model = model;
  options.cacheFile = cache;
  const auto meaning =
      std::make_shared<hybrid::Meaning>(options, [progress](const hybrid::MeaningProgress &now) {
        const std::scoped_lock lock(progress->mutex);
        progress->last = now;
        progress->changed.notify_all();
      });
  for (const Document &document : collection.documents)
    meaning->put(document.id, hybrid::passageOf(document.title, document.text));
  meaning->commit();
  std::unique_lock lock(progress->mutex);
  progress->changed.wait(lock, [&] {
    return !progress->last.problem.empty() ||
           progress->last.embedded == collection.documents.size();
  });
  if (!progress->last.problem.empty()) throw std::runtime_error(progress->last.problem);
  return meaning;
}

} // namespace skillhost::retrieval
