// SPDX-License-Identifier: Apache-2.0
// read: the bytes must match the listing and be the same each time, and reading must stop if the
// sink refuses.
#include "cases.hpp"
#include "ground/deadline.hpp"
#include "source_calls.hpp"

#include <array>

namespace skillhost::check {
namespace {

void checkTwice(Probe &probe, const Instance &instance, const ListedDocument &one) {
  const ReadBack first = read(probe, instance, one), second = read(probe, instance, one);
  const std::string name = nameOf(one);
  for (const ReadBack *const each : {&first, &second})
    if (each->status != SKH_OK)
      fail("read() of " + name + " returns " + statusName(each->status) +
           inBrackets(each->message));
  if (one.length != UINT64_MAX && first.bytes.size() != one.length)
    fail("read() of " + name + " gives " + std::to_string(first.bytes.size()) +
             " bytes; list() announces " + std::to_string(one.length),
         "announce what read() gives, or UINT64_MAX when that is not known");
  if (first.bytes != second.bytes)
    fail("read() of " + name + " gives other bytes for the same revision",
         "a revision changes whenever the bytes do; SKH_STALE when it can no longer be had");
}

void checkRefusal(Probe &probe, const Instance &instance, const ListedDocument &one,
                  std::size_t whole) {
  for (const std::size_t room : std::array<std::size_t, 6>{0, 2, 3, 5, 7, 11}) {
    if (room >= whole) break;
    probe.step("read() of " + nameOf(one) + " while the sink refuses after " +
               std::to_string(room) + " bytes");
    const ByteSink sink(room);
    const StandInCall call(patience());
    const skh_status status = readInto(instance, one, call, sink);
    if (status == SKH_OK)
      fail("read() returns SKH_OK although the sink has refused after " + std::to_string(room) +
               " bytes",
           "return the sink's status");
    if (sink.afterRefusal != 0)
      fail("read() goes on writing after the sink has refused", "return the sink's status at once");
    if (status != SKH_TOO_LARGE)
      probe.warn("read() returns " + statusName(status) + " where the sink said SKH_TOO_LARGE",
                 "return the sink's status, so that the caller hears the reason");
  }
}

void checkUnknown(Probe &probe, const Instance &instance, const ListedDocument &one) {
  ListedDocument other = one;
  other.path = "no/such/document-4711.md";
  ReadBack answer = read(probe, instance, other);
  if (answer.status == SKH_OK) fail("read() of a document that is not listed returns SKH_OK");
  if (answer.status != SKH_NOT_FOUND && answer.status != SKH_STALE)
    fail("read() of a document that is not listed returns " + statusName(answer.status) +
             inBrackets(answer.message),
         "return SKH_NOT_FOUND");
  other = one;
  other.revision = "no-such-revision-4711";
  answer = read(probe, instance, other);
  if (answer.status == SKH_OK)
    fail("read() of a revision that never was returns SKH_OK",
         "compare the revision asked for with the one there is; SKH_STALE");
  if (answer.status != SKH_STALE && answer.status != SKH_NOT_FOUND)
    probe.warn("read() of a revision that never was returns " + statusName(answer.status),
               "return SKH_STALE, so that the host lists again");
}

} // namespace

void checkRead(Probe &probe) {
  std::size_t done = 0, all = 0;
  eachInstance(probe, sourceKind, [&](Instance &instance) {
    const Listing listing = list(probe, instance);
    all += listing.documents.size();
    if (listing.documents.empty()) return;
    const Deadline enough = Deadline::after(std::chrono::seconds(4));
    for (const ListedDocument &one : listing.documents) {
      if (enough.passed()) break;
      checkTwice(probe, instance, one);
      ++done;
    }
    const ListedDocument &first = listing.documents.front();
    checkRefusal(probe, instance, first, read(probe, instance, first).bytes.size());
    checkUnknown(probe, instance, first);
  });
  probe.note(std::to_string(done) + " of " + std::to_string(all) +
             " documents read twice, as announced");
}

} // namespace skillhost::check
