// SPDX-License-Identifier: Apache-2.0
// list: a listing must be complete, its names valid, and a second listing the same.
#include "cases.hpp"
#include "source_calls.hpp"

#include "ground/counted.hpp"

#include <algorithm>
#include <set>

namespace skillhost::check {
namespace {

bool same(const ListedDocument &left, const ListedDocument &right) {
  return left.skill == right.skill && left.path == right.path && left.revision == right.revision &&
         left.length == right.length && left.flags == right.flags &&
         left.location == right.location;
}

// Documents without their content do not differ, so the snapshot must be the same.
void checkChanges(Probe &probe, const Instance &instance, const std::string &snapshot) {
  const auto &operations = instance.operations<skh_source>();
  if (!SKH_HAS(&operations, changes) || operations.changes == nullptr) return;
  probe.step("changes()");
  DocumentSink sink;
  const StandInCall call(patience());
  const skh_status status =
      operations.changes(instance.self, call.raw(), borrow(snapshot), sink.raw());
  if (status == SKH_STALE || status == SKH_UNSUPPORTED) return;
  if (status != SKH_OK)
    fail("changes() returns " + statusName(status) + inBrackets(call.message()));
  if (sink.endings != 1) fail("changes() does not call done() exactly once", "once, last");
  if (sink.snapshot == snapshot && !sink.documents.empty())
    fail("changes() names documents, and the snapshot that it was asked about",
         "a new snapshot has a new name");
}

} // namespace

void checkList(Probe &probe) {
  std::size_t documents = 0, skills = 0;
  eachInstance(probe, sourceKind, [&](Instance &instance) {
    const Listing first = list(probe, instance), second = list(probe, instance);
    const bool equal = first.snapshot == second.snapshot &&
                       std::equal(first.documents.begin(), first.documents.end(),
                                  second.documents.begin(), second.documents.end(), &same);
    if (!equal)
      fail("two listings in a row differ",
           "the same content has the same revisions and the same snapshot");
    checkChanges(probe, instance, first.snapshot);
    std::set<std::string> names;
    for (const ListedDocument &one : first.documents) names.insert(one.skill);
    documents += first.documents.size();
    skills += names.size();
  });
  if (documents == 0)
    probe.warn("nothing is listed, so that hardly anything can be checked",
               "give it something to serve, by --config FILE");
  probe.note(counted(skills, "skill") + ", " + counted(documents, "document"));
}

} // namespace skillhost::check
