// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a segment of a disk, with the right digest: reading ends, and accepted
// segments can be searched, merged and kept without a fault.
#include "ground/bytes.hpp"
#include "keyword/merge_policy.hpp"
#include "keyword/query.hpp"
#include "keyword/ranking.hpp"
#include "keyword/segment_file.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>

using namespace skillhost::keyword;

namespace {

void use(Segment segment, std::vector<BodyPlace> places) {
  segment.bodies = Bodies(std::move(places), std::string(1U << 16U, 'x'));
  const auto shared = std::make_shared<const Segment>(std::move(segment));
  auto dead = std::make_shared<RemovedEntries>(shared->size());
  dead->add(0);
  dead->count(*shared);
  Statistics statistics;
  statistics.entries = shared->size() - 1;
  Compounds compounds(std::make_shared<Language>("none", std::nullopt));
  const Snapshot snapshot("g", {{shared, dead}}, statistics, compounds.parts([] {}));
  const Language language("english", std::nullopt);
  const Options options;
  for (const char *text : {"air quality. forecast", "pdf"}) {
    const Query query = parseQuery(text, snapshot, language, options);
    const Scores scores = scoresOf(snapshot, query, Filter({}), options, [] {});
    for (const float score : scores.all)
      if (!std::isfinite(score) || score < 0) std::abort();
  }
  snapshot.forEach([&](std::size_t place) {
    static_cast<void>(snapshot.body(place));
    if (!snapshot.find(snapshot.id(place))) std::abort();
  });
  const MergeInput inputs[] = {{shared, dead}};
  MemoryBodies bodies;
  Places into;
  if (merged(inputs, bodies, into, [] {}).size() + 1 != shared->size()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  try {
    std::vector<BodyPlace> places;
    Segment segment =
        parseSegment({reinterpret_cast<const char *>(data), size}, 1U << 16U, 8192, places);
    use(std::move(segment), std::move(places));
  } catch (const skillhost::Damaged &) {} // NOLINT: that is what it is for
  return 0;
}
