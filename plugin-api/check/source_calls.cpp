// SPDX-License-Identifier: Apache-2.0
#include "source_calls.hpp"

#include "ground/shown.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace skillhost::check {
namespace {

// Returns the fault of a path; empty if it is relative, separated by '/', without empty, "." or
// ".." segments.
std::string faultInPath(std::string_view path) {
  if (path.empty()) return "is empty";
  if (path.size() > 4096) return "is longer than 4,096 bytes";
  if (!isUtf8(path)) return "is not UTF-8";
  for (const char c : path)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return "has a control character";
  if (path.find('\\') != std::string_view::npos) return "has a backslash";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view segment = path.substr(begin, end - begin);
    if (segment.empty()) return "is absolute, or has an empty segment";
    if (segment == "." || segment == "..") return "has a segment \"" + std::string(segment) + '"';
    begin = end + 1;
  }
  return {};
}

void checkDocument(const ListedDocument &one) {
  const std::string shown = "\"" + nameOf(one) + '"';
  if (one.size < offsetof(skh_document, location))
    fail("a document's size is " + std::to_string(one.size), "set it to sizeof(skh_document)");
  if (const std::string fault = faultInPath(one.skill); !fault.empty())
    fail("the skill of " + shown + ' ' + fault, R"(relative, '/' separated, no "." or "..")");
  if (const std::string fault = faultInPath(one.path); !fault.empty())
    fail("the path of " + shown + ' ' + fault, R"(relative, '/' separated, no "." or "..")");
  if (one.revision.empty() || !isUtf8(one.revision))
    fail("the revision of " + shown + " is empty or not UTF-8", "such as a hash of the bytes");
  if (!isUtf8(one.location)) fail("the location of " + shown + " is not UTF-8");
  if ((one.flags & SKH_DOC_REMOVED) != 0)
    fail(shown + " has SKH_DOC_REMOVED in list()", "that flag belongs to changes()");
}

void checkDocuments(std::vector<ListedDocument> &documents) {
  std::map<std::string, int> entries;
  for (const ListedDocument &one : documents) {
    checkDocument(one);
    entries[one.skill] += (one.flags & SKH_DOC_ENTRY) != 0 ? 1 : 0;
  }
  for (const auto &[skill, count] : entries)
    if (count != 1)
      fail("the skill \"" + skill + "\" has " + std::to_string(count) + " entries",
           "exactly one document of a skill, its SKILL.md, has SKH_DOC_ENTRY");
  const auto key = [](const ListedDocument &one) { return std::tie(one.skill, one.path); };
  std::sort(documents.begin(), documents.end(),
            [&](const auto &left, const auto &right) { return key(left) < key(right); });
  const auto twice = std::adjacent_find(
      documents.begin(), documents.end(),
      [&](const auto &left, const auto &right) { return key(left) == key(right); });
  if (twice != documents.end())
    fail("\"" + nameOf(*twice) + "\" is listed twice", "skill and path name one document");
}

} // namespace

std::string nameOf(const ListedDocument &document) {
  return shownLine(cutUtf8(document.skill + '/' + document.path, 200));
}

Listing list(Probe &probe, const Instance &instance) {
  probe.step("list()");
  DocumentSink sink;
  const StandInCall call = patientCall(instance);
  const skh_status status =
      instance.operations<skh_source>().list(instance.self, call.raw(), sink.raw());
  if (sink.refused && (sink.afterRefusal != 0 || status == SKH_OK))
    fail("list() goes on after the sink has refused a document",
         "return the sink's status at once");
  if (status != SKH_OK) fail("list() returns " + statusName(status) + inBrackets(call.message()));
  if (sink.endings == 0) fail("list() returns SKH_OK and never calls done()", "once, last");
  if (sink.endings > 1) fail("list() calls done() more than once", "once, last");
  if (sink.afterEnd != 0) fail("list() adds documents after done()", "done() comes last");
  if (sink.snapshot.empty() || !isUtf8(sink.snapshot))
    fail("the name of the snapshot is empty or not UTF-8", "such as a hash of all revisions");
  probe.step("the documents listed");
  checkDocuments(sink.documents);
  return {std::move(sink.documents), std::move(sink.snapshot)};
}

skh_status readInto(const Instance &instance, const ListedDocument &document,
                    const StandInCall &call, const ByteSink &sink) {
  const Placed<skh_document> which({sizeof(skh_document), document.flags, borrow(document.skill),
                                    borrow(document.path), borrow(document.revision),
                                    document.length, borrow(document.location)},
                                   nullptr);
  return instance.operations<skh_source>().read(instance.self, call.raw(), which.get(), sink.raw());
}

ReadBack read(Probe &probe, const Instance &instance, const ListedDocument &document) {
  probe.step("read() of " + nameOf(document));
  ByteSink sink(maxDocumentBytes);
  const StandInCall call = patientCall(instance);
  const skh_status status = readInto(instance, document, call, sink);
  if (sink.refused && (sink.afterRefusal != 0 || status == SKH_OK))
    fail("read() of " + nameOf(document) + " goes on after the sink has refused bytes",
         "return the sink's status at once");
  return {status, std::move(sink.bytes), call.message()};
}

} // namespace skillhost::check
