// SPDX-License-Identifier: Apache-2.0
// filter: a source that asks for the source that it wraps must keep the rules of upstream.h, and
// serve nothing of it if it fails.
#include "cases.hpp"
#include "source_calls.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace skillhost::check {
namespace {

// Without an upstream, a filter says so or is another source.
void checkAlone(Probe &probe, const skh_plugin &plugin) {
  const StandInHost host(probe.configuration(), probe.cacheDirectory(), std::nullopt,
                         StandInHost::Upstream::Absent);
  const Created created = create(probe, plugin, host);
  if (created.status == SKH_OK) {
    probe.step("destroy()");
    plugin.destroy(created.self);
    return;
  }
  if (created.status != SKH_INVALID || created.message.empty())
    fail("without an upstream, create() returns " + statusName(created.status) +
             inBrackets(created.message),
         "return SKH_INVALID and say with fail() that the plugin is a filter");
}

void expectNoMisuse(const Instance &instance, const std::string &where) {
  if (instance.host.upstream().misuses != 0)
    fail(where + " calls the upstream with an skh_call that does not run",
         "only during a call of the host other than create(), with the skh_call of that call");
}

bool holdsTheSame(std::vector<ListedDocument> some, std::vector<ListedDocument> others) {
  const auto identityOf = [](const ListedDocument &one) {
    return std::tie(one.skill, one.path, one.revision, one.length, one.flags);
  };
  for (std::vector<ListedDocument> *const all : {&some, &others})
    std::sort(all->begin(), all->end(),
              [&](const auto &a, const auto &b) { return identityOf(a) < identityOf(b); });
  return std::equal(some.begin(), some.end(), others.begin(), others.end(),
                    [&](const auto &a, const auto &b) { return identityOf(a) == identityOf(b); });
}

void checkFailure(Probe &probe, const Instance &instance, const Listing &listing) {
  StandInUpstream &upstream = instance.host.upstream();
  upstream.fails = true;
  probe.step("list() while the upstream fails");
  DocumentSink sink;
  const StandInCall call(patience());
  const skh_status status =
      instance.operations<skh_source>().list(instance.self, call.raw(), sink.raw());
  if (status == SKH_OK && sink.snapshot != listing.snapshot)
    fail("list() names a new snapshot while the upstream cannot be listed",
         "return the upstream's status");
  if (status == SKH_OK && !holdsTheSame(sink.documents, listing.documents))
    fail("list() gives other documents under the name of the last snapshot while the upstream "
         "cannot be listed",
         "return the upstream's status");
  for (const ListedDocument &one : listing.documents) {
    const unsigned failed = upstream.failedReads;
    const ReadBack back = read(probe, instance, one);
    if (back.status == SKH_OK && upstream.failedReads != failed)
      fail("read() of " + nameOf(one) + " returns SKH_OK although the upstream could not be read",
           "return the upstream's status");
  }
  upstream.fails = false;
}

void checkChange(Probe &probe, const Instance &instance, const Listing &before) {
  StandInUpstream &upstream = instance.host.upstream();
  upstream.change();
  const unsigned asked = upstream.listings;
  const Listing after = list(probe, instance);
  if (upstream.listings == asked)
    fail("after a change of the upstream, list() does not ask the upstream what it has",
         "call list() or changes() of the upstream each time");
  for (const ListedDocument &one : after.documents) {
    for (const ListedDocument &other : before.documents)
      if (one.skill == other.skill && one.path == other.path && one.revision != other.revision &&
          after.snapshot == before.snapshot)
        fail("a document has another revision, and the snapshot has the same name",
             "the name of the snapshot depends on that of the upstream");
    if (const ReadBack back = read(probe, instance, one); back.status != SKH_OK)
      fail("after a change of the upstream, read() of " + nameOf(one) + " returns " +
           statusName(back.status) + inBrackets(back.message));
  }
}

} // namespace

void checkFilter(Probe &probe) {
  probe.note("is no filter");
  std::vector<const skh_plugin *> filters;
  eachInstance(probe, sourceKind, [&](Instance &instance) {
    const bool asked = instance.host.askedForUpstream();
    if (asked) expectNoMisuse(instance, "create()");
    const Listing listing = list(probe, instance);
    if (!asked && instance.host.askedForUpstream())
      fail("SKH_UPSTREAM is asked for after create()",
           "ask in create(): otherwise a host refuses the plugin as a filter");
    if (!asked) return;
    checkFailure(probe, instance, listing);
    checkChange(probe, instance, list(probe, instance));
    expectNoMisuse(instance, "the filter");
    filters.push_back(&instance.plugin);
  });
  for (const skh_plugin *const plugin : filters) {
    checkAlone(probe, *plugin);
    probe.note("serves nothing of an upstream that fails, and follows one that changes");
  }
}

} // namespace skillhost::check
