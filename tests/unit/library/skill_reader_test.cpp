// SPDX-License-Identifier: Apache-2.0
// Tests of SkillReader: it reads from the source once and afterwards from the cache, and never
// another revision than the catalogue's.
#include "catch2.hpp"
#include "skills/skill_reader.hpp"
#include "skills_in_memory.hpp"

#include <chrono>
#include <future>
#include <optional>

using namespace skillhost;

namespace {

const std::string entry = "---\nname: a\ndescription: One.\n---\nSee notes.md.\n";
const SkillsInMemory::Files skillA{
    {{"a", "SKILL.md"}, entry}, {{"a", "notes.md"}, "Notes."}, {{"a", "more.md"}, "More."}};

class CountingSource final : public SkillsInMemory {
public:
  CountingSource() : SkillsInMemory(skillA) {}
  void read(CallOptions options, Document document, std::size_t limit,
            ResultCallback<std::string> answer) override {
    ++reads;
    SkillsInMemory::read(std::move(options), std::move(document), limit, std::move(answer));
  }
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override {
    reads += documents.size();
    SkillsInMemory::readEach(std::move(options), std::move(documents), limit, std::move(each),
                             std::move(done));
  }
  std::size_t reads = 0;
};

struct Reading {
  std::shared_ptr<CountingSource> source = std::make_shared<CountingSource>();
  std::promise<std::shared_ptr<const Catalogue>> changed;      // the first other catalogue
  Library library{SkillRules{}, std::chrono::milliseconds(1)}; // its thread ends before `changed`
  Cache cache{CacheRules{}};
  SkillReader reader{library, cache, ReadingRules{PathStyle::Uri, "", 0}};
  std::shared_ptr<const Catalogue> before;

  Reading() {
    library.onChange([this, heard = false](const auto &now, const auto &was) mutable {
      if (was->generation() == 0 || heard || now == was) return;
      heard = true;
      changed.set_value(now);
    });
    library.start({source});
    wait([&](auto done) { library.whenReady(std::move(done)); });
    before = library.catalogue();
    source->reads = 0;
  }
  template <class Ask> static void wait(Ask ask) {
    std::promise<void> heard;
    ask([&] { heard.set_value(); });
    heard.get_future().wait();
  }
  std::shared_ptr<const Skill> skill() const { return before->byName("a")->skill; }
  Result<LoadedContent> load() {
    std::optional<Result<LoadedContent>> found;
    reader.load(
        skill(), Reach::Tool, [] { return CallOptions{}; },
        [&](Result<LoadedContent> content) { found = std::move(content); });
    REQUIRE(found);
    return *std::move(found);
  }
  DocumentBytes read(const std::vector<std::string> &paths, std::size_t limit = 1U << 20U) {
    std::vector<std::size_t> files;
    for (const std::string &path : paths) files.push_back(skill()->fileAt(path));
    std::optional<DocumentBytes> found;
    reader.read(skill(), files, limit, {}, [&](const DocumentBytes &bytes) { found = bytes; });
    REQUIRE(found);
    return *std::move(found);
  }
  // Gives the source these files, and returns the catalogue once the library has noticed.
  std::shared_ptr<const Catalogue> become(SkillsInMemory::Files files) {
    source->become(std::move(files));
    wait([&](auto done) { library.reload(std::move(done)); });
    source->reads = 0;
    return library.catalogue();
  }
};

} // namespace

TEST_CASE("a skill is read and rendered once, and then comes from the cache") {
  Reading f;
  const Result<LoadedContent> first = f.load();
  REQUIRE(first);
  CHECK_FALSE(first->cached);
  CHECK(first->rendered->plainText().find("See skill://memory/a/notes.md.") != std::string::npos);
  CHECK(f.source->reads == 1);
  const Result<LoadedContent> again = f.load();
  REQUIRE(again);
  CHECK(again->cached);
  CHECK(again->rendered == first->rendered);
  CHECK(f.source->reads == 1);
}

TEST_CASE("documents come in the order they were asked for, what is kept from the cache") {
  Reading f;
  CHECK_FALSE(f.read({"notes.md"}).cached);
  const DocumentBytes both = f.read({"more.md", "notes.md"});
  CHECK_FALSE(both.cached);
  REQUIRE(both.each.size() == 2);
  CHECK(**both.each[0] == "More.");
  CHECK(**both.each[1] == "Notes.");
  CHECK(f.source->reads == 2);
  CHECK(f.read({"notes.md", "more.md"}).cached);
  // The cached document is larger than this caller accepts.
  const DocumentBytes small = f.read({"notes.md"}, 3);
  REQUIRE_FALSE(small.each[0]);
  CHECK(small.each[0].failure().fault == Fault::TooLarge);
}

TEST_CASE("the paths of a text of more than a mebibyte stay as they are") {
  Reading f;
  const auto texts = [&](std::size_t size) {
    SkillsInMemory::Files files = skillA;
    std::string document = "See more.md.\n", skill = entry;
    document.append(size - document.size(), 'x');
    skill.append(size - skill.size(), 'x');
    files[{"a", "notes.md"}] = document;
    files[{"a", "SKILL.md"}] = skill;
    f.before = f.become(files);
    const auto read = f.read({"notes.md"}, 2U << 20U);
    REQUIRE(read.each[0]);
    const auto text = f.reader.textFor(*f.skill(), f.skill()->fileAt("notes.md"), *read.each[0]);
    const Result<LoadedContent> loaded = f.load();
    REQUIRE(loaded);
    return std::pair{text->substr(0, 12), loaded->rendered->plainText()};
  };
  const auto [rewritten, body] = texts(1U << 20U);
  CHECK(rewritten == "See skill://");
  CHECK(body.find("See skill://memory/a/notes.md.") != std::string::npos);
  const auto [same, whole] = texts((1U << 20U) + 1);
  CHECK(same == "See more.md.");
  CHECK(whole.find("See notes.md.") != std::string::npos);
}

TEST_CASE("a document that has changed since it was listed is stale, and the change is noticed") {
  Reading f;
  SkillsInMemory::Files files = skillA;
  files[{"a", "notes.md"}] = "Other notes.";
  f.source->setFiles(files); // no notification
  const DocumentBytes stale = f.read({"notes.md", "more.md"});
  REQUIRE_FALSE(stale.each[0]);
  CHECK(stale.each[0].failure().fault == Fault::Stale);
  CHECK(stale.each[1]);
  const auto now = f.changed.get_future().get(); // the reader made the library ask
  CHECK(now->byName("a")->skill != f.skill());
}

TEST_CASE(
    "the text of a Markdown document is rendered once, until another file of the skill changes") {
  Reading f;
  SkillsInMemory::Files files = skillA;
  files[{"a", "notes.md"}] = "See MORE.md, Both.md and new.md.";
  files[{"a", "both.md"}] = files[{"a", "BOTH.md"}] = "Two.";
  f.before = f.become(files);
  const auto textOfNotes = [&] {
    const Result<std::shared_ptr<const std::string>> bytes = f.read({"notes.md"}).each[0];
    REQUIRE(bytes);
    return f.reader.textFor(*f.skill(), f.skill()->fileAt("notes.md"), *bytes);
  };
  const auto first = textOfNotes();
  CHECK(*first == "See skill://memory/a/more.md, Both.md and new.md.");
  CHECK(textOfNotes() == first);
  CHECK(f.cache.statistics().entries == 2);
  files[{"a", "new.md"}] = "New.";
  const auto now = f.become(files);
  f.reader.dropUnserved(now, *f.before);
  CHECK(f.cache.statistics().entries == 1); // the bytes of notes.md
  f.before = now;
  CHECK(*textOfNotes() == "See skill://memory/a/more.md, Both.md and skill://memory/a/new.md.");
}

TEST_CASE("what no catalogue names any more is forgotten, the rest is kept") {
  Reading f;
  REQUIRE(f.load());
  f.read({"notes.md", "more.md"});
  CHECK(f.cache.statistics().entries == 3);
  SkillsInMemory::Files files = skillA;
  files[{"a", "notes.md"}] = "Other notes.";
  const auto now = f.become(files);
  f.reader.dropUnserved(now, *f.before);
  CHECK(f.cache.statistics().entries == 1); // more.md
  f.before = now;
  CHECK_FALSE(f.load()->cached);
  CHECK(f.read({"more.md"}).cached);
  CHECK(**f.read({"notes.md"}).each[0] == "Other notes.");
  const auto gone = f.become({});
  f.reader.dropUnserved(gone, *now);
  CHECK(f.cache.statistics().entries == 0);
}

TEST_CASE("of a source that is gone nothing is read, but for what is kept") {
  Reading f;
  f.read({"notes.md"});
  Reading::wait([&](auto done) { f.library.replace({}, nullptr, [](std::uint64_t) {}, done); });
  CHECK(f.load().failure().fault == Fault::Unavailable);
  const DocumentBytes bytes = f.read({"notes.md", "more.md"});
  CHECK(**bytes.each[0] == "Notes.");
  REQUIRE_FALSE(bytes.each[1]);
  CHECK(bytes.each[1].failure().message == "the source memory is gone");
}
