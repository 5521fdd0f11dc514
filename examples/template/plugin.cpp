// SPDX-License-Identifier: Apache-2.0
// A source plugin to start from: replace load(), and describe its settings in schema.json.
#include "schema.hpp"

#include <skillhost/config.hpp>

#include <cstdint>
#include <cstdio>

namespace {

struct Document {
  std::string skill, path, text, revision;
};

// Returns a text that changes whenever the bytes do. A commit id, an ETag or a cryptographic hash
// is better, where you have one.
std::string fingerprint(std::string_view bytes) {
  std::uint64_t hash = 14'695'981'039'346'656'037U;
  for (const char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 1'099'511'628'211U;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

// Calls may overlap on several threads. That is safe here, because nothing changes once the
// constructor has returned. Members that do change need a mutex, or the flag SKH_SERIAL.
class Template final : public skh::Source {
public:
  // Refuse here only a configuration that can never work: throw skh::Error(SKH_INVALID, "key: what
  // to write").
  Template(skh::Host host, const skh::Call &) { load(skh::Config(host).text("team", "Somebody")); }

  void list(const skh::Call &call, const skh::Documents &out) override {
    std::string all;
    for (const Document &one : documents_) {
      call.point(); // throws when nobody wants the result any more
      const std::uint32_t flags = one.path == "SKILL.md" ? std::uint32_t{SKH_DOC_ENTRY} : 0;
      out.add({one.skill, one.path, one.revision, one.text.size(), flags, {}});
      all += one.skill + '\n' + one.path + '\n' + one.revision + '\n';
    }
    out.done(fingerprint(all)); // once, after the last add()
  }

  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override {
    call.point();
    for (const Document &one : documents_) {
      if (one.skill != which.skill || one.path != which.path) continue;
      if (one.revision != which.revision) throw skh::Error(SKH_STALE, "that revision is gone");
      out.write(one.text);
      return;
    }
    throw skh::Error(SKH_NOT_FOUND, "there is no such document");
  }

private:
  void load(const std::string &team) {
    add("on-call", "SKILL.md",
        "---\nname: on-call\ndescription: Says who is on call. Use it when something is broken.\n"
        "---\nAsk " +
            team + " first. Their numbers are in references/numbers.md.\n");
    add("on-call", "references/numbers.md", "| who | number |\n|---|---|\n| first | 100 |\n");
  }

  void add(std::string skill, std::string path, std::string text) {
    const std::string revision = fingerprint(text);
    documents_.push_back({std::move(skill), std::move(path), std::move(text), revision});
  }

  std::vector<Document> documents_;
};

} // namespace

SKH_PLUGIN(skh::source<Template>("org.example.template", "0.1.0", "Skills from nowhere yet",
                                 schema));
