// SPDX-License-Identifier: Apache-2.0
#include "sharing/manifest.hpp"

#include "ground/hexadecimal.hpp"
#include "ground/json_member.hpp"
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"
#include "plugin/document_path.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace skillhost {
namespace {

constexpr std::uint64_t newestVersion = 1;
constexpr std::size_t mostDocuments = 1'000'000;
constexpr std::size_t longestRevision = 4096;
constexpr std::size_t lineDepth = 4;

// What reading a document may fail with for longer than a moment, by its name in a manifest.
constexpr std::array<std::pair<std::string_view, Fault>, 5> faults{
    {{"corrupt", Fault::Corrupt},
     {"denied", Fault::Denied},
     {"failed", Fault::OperationFailed},
     {"not found", Fault::NotFound},
     {"too large", Fault::TooLarge}}};

std::string_view nameOf(Fault fault) {
  const auto *const found = std::find_if(faults.begin(), faults.end(),
                                         [&](const auto &one) { return one.second == fault; });
  return found == faults.end() ? "failed" : found->first;
}

void member(std::string &out, std::string_view name, std::string_view text) {
  out += ",\"";
  out += name;
  out += "\":";
  appendJsonString(out, text);
}

void appendDocument(std::string &out, const Document &document, const SharedObject &object) {
  out += "{\"path\":";
  appendJsonString(out, document.path);
  member(out, "revision",
         hexadecimal({reinterpret_cast<const unsigned char *>(document.revision.data()),
                      document.revision.size()}));
  if (!document.location.empty()) member(out, "location", document.location);
  if (document.length != UINT64_MAX) out += ",\"length\":" + std::to_string(document.length);
  if (document.entry) out += ",\"entry\":true";
  if (document.executable) out += ",\"executable\":true";
  if (object.fault)
    member(out, "fault", nameOf(*object.fault));
  else
    member(out, "digest", hexadecimal(object.digest)),
        out += ",\"size\":" + std::to_string(object.size);
  out += '}';
}

// Reads the lines one after another; the first thing that is wrong is kept.
class Reader {
public:
  Result<SharedManifest> read(std::string_view text) {
    if (text.size() > mostManifestBytes) return wrong("it is too large");
    while (!text.empty() && why_.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      readLine(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (why_.empty() && line_ == 0) why_ = "it is empty";
    if (why_.empty() && made_.objects.size() != announced_)
      why_ = "there are " + std::to_string(made_.objects.size()) +
             " documents where the heading says " + std::to_string(announced_);
    if (!why_.empty()) return wrong(why_);
    return std::move(made_);
  }

private:
  Failure wrong(const std::string &what) const {
    return {Fault::InvalidFormat, "the manifest, line " + std::to_string(line_) + ": " + what};
  }
  bool fail(std::string what) {
    if (why_.empty()) why_ = std::move(what);
    return false;
  }

  void readLine(std::string_view text) {
    const Result<Json> line = parseJson(text, {lineDepth, mostDocuments * 10});
    if (!line) return static_cast<void>(fail(line.failure().message));
    if (!line->is_object()) return static_cast<void>(fail("it is no object"));
    if (line_ == 1)
      readHeading(*line);
    else
      readSkill(*line);
  }

  bool textOf(const Json &owner, const char *name, std::string &to) {
    const Json &found = memberOf(owner, name);
    if (!found.is_string()) return fail(std::string(name) + " is no text");
    to = found.get<std::string>();
    return true;
  }
  bool numberOf(const Json &owner, const char *name, std::uint64_t &to) {
    const Json &found = memberOf(owner, name);
    if (!found.is_number_unsigned()) return fail(std::string(name) + " is no whole number");
    to = found.get<std::uint64_t>();
    return true;
  }
  static bool flagOf(const Json &owner, const char *name) {
    const Json &found = memberOf(owner, name);
    return found.is_boolean() && found.get<bool>();
  }
  // Revisions are any bytes.
  bool bytesOf(const Json &owner, const char *name, std::string &to) {
    std::string digits;
    if (!textOf(owner, name, digits)) return false;
    if (digits.size() % 2 != 0 || digits.size() > 2 * longestRevision ||
        !isHexadecimal(digits, digits.size()))
      return fail(std::string(name) + " is not in hexadecimal digits");
    to.resize(digits.size() / 2);
    return readHexadecimal(digits, {reinterpret_cast<unsigned char *>(to.data()), to.size()});
  }

  void readHeading(const Json &line) {
    std::uint64_t version = 0;
    if (!numberOf(line, "version", version)) return;
    if (version != newestVersion)
      return static_cast<void>(fail("it is of version " + std::to_string(version) +
                                    ", and this skillhost reads version " +
                                    std::to_string(newestVersion)));
    if (!numberOf(line, "number", made_.number) || !numberOf(line, "documents", announced_) ||
        !bytesOf(line, "revision", made_.snapshot.revision))
      return;
    if (made_.snapshot.revision.empty()) fail("revision is empty");
    if (announced_ > mostDocuments) fail("there are more than a million documents");
  }

  void readSkill(const Json &line) {
    std::string skill;
    if (!textOf(line, "skill", skill)) return;
    if (const auto fault = faultInDocumentPath(skill); !fault.empty())
      return static_cast<void>(fail("skill " + std::string(fault)));
    if (line_ > 2 && skill <= last_) return static_cast<void>(fail("skill is out of order"));
    last_ = skill;
    if (line.contains("facts") && !readFacts(line, skill)) return;
    const Json &documents = memberOf(line, "documents");
    if (!documents.is_array()) return static_cast<void>(fail("documents is no list"));
    for (const Json &one : documents) {
      if (made_.objects.size() >= announced_)
        return static_cast<void>(fail("there are more documents than the heading says"));
      if (!readDocument(one, skill)) return;
    }
  }

  bool readFacts(const Json &line, const std::string &skill) {
    std::string facts;
    if (!textOf(line, "facts", facts)) return false;
    if (!readJsonObject(facts)) return fail("facts are no JSON object");
    made_.snapshot.facts.emplace(skill, std::move(facts));
    return true;
  }

  bool readDocument(const Json &from, const std::string &skill) {
    Document document;
    SharedObject object;
    document.skill = skill;
    if (!from.is_object()) return fail("a document is no object");
    if (!textOf(from, "path", document.path)) return false;
    if (const auto fault = faultInDocumentPath(document.path); !fault.empty())
      return fail("path " + std::string(fault));
    std::vector<Document> &all = made_.snapshot.documents;
    if (!all.empty() && !(placeOf(all.back()) < placeOf(document)))
      return fail("path is out of order");
    if (!bytesOf(from, "revision", document.revision)) return false;
    if (from.contains("location") && !textOf(from, "location", document.location)) return false;
    if (document.location.size() > longestDocumentPath) return fail("location is too long");
    if (from.contains("length") && !numberOf(from, "length", document.length)) return false;
    document.entry = flagOf(from, "entry");
    document.executable = flagOf(from, "executable");
    if (!readObject(from, object)) return false;
    all.push_back(std::move(document));
    made_.objects.push_back(object);
    return true;
  }

  bool readObject(const Json &from, SharedObject &object) {
    std::string text;
    if (from.contains("fault")) {
      if (!textOf(from, "fault", text)) return false;
      const auto *const found = std::find_if(faults.begin(), faults.end(),
                                             [&](const auto &one) { return one.first == text; });
      if (found == faults.end()) return fail("fault is none that is known");
      object.fault = found->second;
      return true;
    }
    if (!textOf(from, "digest", text) || !numberOf(from, "size", object.size)) return false;
    if (!isHexadecimal(text, digestDigits) || !readHexadecimal(text, object.digest))
      return fail("digest is no digest");
    return true;
  }

  SharedManifest made_;
  std::uint64_t announced_ = 0;
  std::size_t line_ = 0;
  std::string last_, why_; // the skill before; what is wrong, "" while nothing is
};

} // namespace

std::string manifestText(const SharedManifest &manifest) {
  const Snapshot &snapshot = manifest.snapshot;
  std::string out = "{\"version\":" + std::to_string(newestVersion) +
                    ",\"number\":" + std::to_string(manifest.number) +
                    ",\"documents\":" + std::to_string(snapshot.documents.size());
  member(out, "revision",
         hexadecimal({reinterpret_cast<const unsigned char *>(snapshot.revision.data()),
                      snapshot.revision.size()}));
  out += "}\n";
  auto facts = snapshot.facts.begin();
  std::size_t i = 0;
  // Of either of them the next skill; one may have facts and no documents.
  while (i < snapshot.documents.size() || facts != snapshot.facts.end()) {
    const bool hasDocuments =
        i < snapshot.documents.size() &&
        (facts == snapshot.facts.end() || snapshot.documents[i].skill <= facts->first);
    const std::string &skill = hasDocuments ? snapshot.documents[i].skill : facts->first;
    out += "{\"skill\":";
    appendJsonString(out, skill);
    if (facts != snapshot.facts.end() && facts->first == skill) {
      member(out, "facts", facts->second);
      ++facts;
    }
    out += ",\"documents\":[";
    bool isFirst = true;
    for (; hasDocuments && i < snapshot.documents.size() && snapshot.documents[i].skill == skill;
         ++i) {
      if (!std::exchange(isFirst, false)) out += ',';
      appendDocument(out, snapshot.documents[i], manifest.objects[i]);
    }
    out += "]}\n";
  }
  return out;
}

Result<SharedManifest> readManifest(std::string_view text) { return Reader().read(text); }

const SharedObject *objectOf(const SharedManifest &manifest, const Document &document) {
  const std::vector<Document> &all = manifest.snapshot.documents;
  const auto found =
      std::lower_bound(all.begin(), all.end(), document, [](const Document &a, const Document &b) {
        return placeOf(a) < placeOf(b);
      });
  if (found == all.end() || placeOf(*found) != placeOf(document) ||
      found->revision != document.revision)
    return nullptr;
  return &manifest.objects[static_cast<std::size_t>(found - all.begin())];
}

Changes changesBetween(const Snapshot &before, const Snapshot &now) {
  Changes changes{now.revision, {}, {}, now.facts};
  auto old = before.documents.begin();
  for (const Document &document : now.documents) {
    for (; old != before.documents.end() && placeOf(*old) < placeOf(document); ++old)
      changes.removed.push_back({old->skill, old->path, {}, {}, UINT64_MAX, false, false});
    const bool isSamePlace = old != before.documents.end() && placeOf(*old) == placeOf(document);
    if (!isSamePlace || !(*old == document)) changes.added.push_back(document);
    if (isSamePlace) ++old;
  }
  for (; old != before.documents.end(); ++old)
    changes.removed.push_back({old->skill, old->path, {}, {}, UINT64_MAX, false, false});
  return changes;
}

} // namespace skillhost
