// SPDX-License-Identifier: Apache-2.0
#include "ground/utf8.hpp"
#include "index_work.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t bodyBytes = 8192; // a backend gets this much of a body
constexpr std::size_t documentBytes = 16U << 20U;

struct Reading {
  std::shared_ptr<IndexWork> work;
  std::shared_ptr<IndexPiece> piece = std::make_shared<IndexPiece>();
  std::function<void(const std::shared_ptr<IndexPiece> &)> done;
  std::mutex mutex;
  std::size_t sources = 0; // sources that have not answered

  void took(std::size_t put, std::size_t bodyOffset, const Result<std::string> &bytes) {
    SearchEntry &entry = piece->put[put];
    if (!bytes) {
      // Queries find the entry by its name and description for now.
      const std::scoped_lock lock(mutex);
      entry.revision = incomplete;
      ++work->unread;
      return;
    }
    std::string room;
    const std::string_view text = withoutUtf16(*bytes, room);
    if (text.size() > bodyOffset)
      entry.body = mendUtf8(cutUtf8(text.substr(bodyOffset), bodyBytes));
  }
  void sourceDone() {
    {
      const std::scoped_lock lock(mutex);
      if (--sources != 0) return;
    }
    done(piece);
  }
};

// The documents to read from one source, and for each the entry of the piece that it belongs to.
struct Batch {
  std::shared_ptr<Source> source;
  std::vector<Document> documents;
  std::vector<std::size_t> puts, offsets;
};

} // namespace

void readPiece(const CallOptions &options, const std::shared_ptr<IndexWork> &work,
               std::size_t entries, std::function<void(const std::shared_ptr<IndexPiece> &)> done) {
  const auto reading = std::make_shared<Reading>();
  reading->work = work;
  reading->done = std::move(done);
  std::map<std::string, Batch> batches;
  const std::size_t end = std::min(work->put.size(), work->done + entries);
  for (std::size_t i = work->done; i < end; ++i) {
    SearchableEntry one = work->wanted.all.describe(work->put[i]);
    Batch &batch = batches[one.source->name()];
    batch.source = std::move(one.source);
    batch.documents.push_back(std::move(one.document));
    batch.puts.push_back(reading->piece->put.size());
    batch.offsets.push_back(one.bodyOffset);
    reading->piece->put.push_back({std::move(one.id),
                                   std::move(one.revision),
                                   std::move(one.name),
                                   std::move(one.description),
                                   {},
                                   std::move(one.attributes)});
  }
  reading->sources = batches.size();
  if (batches.empty()) return reading->done(reading->piece);
  for (auto &[name, batch] : batches) {
    const auto each = [reading, puts = std::move(batch.puts), offsets = std::move(batch.offsets)](
                          std::size_t i, const Result<std::string> &bytes) {
      reading->took(puts[i], offsets[i], bytes);
    };
    batch.source->readEach(options, std::move(batch.documents), documentBytes, each,
                           [reading] { reading->sourceDone(); });
  }
}

} // namespace skillhost
