// SPDX-License-Identifier: Apache-2.0
// Tests the plugin: what it lists and reads, and that it never serves anything wrong.
#include "catch2.hpp"

#include "fixture.hpp"
#include "sources/store/source.hpp"

#include <condition_variable>
#include <map>

using namespace skillhost::store;
using namespace store_test;
using Catch::Matchers::Contains;
using skillhost::store_source::StoreSource;

namespace {

namespace fs = std::filesystem;

// A host that records what the plugin reports, in one process.
struct Told {
  std::mutex mutex;
  std::condition_variable heard;
  int changes = 0;
  std::string log;
};
Told told;

class Instance {
public:
  explicit Instance(std::string configuration, std::string cache = {})
      : configuration_(std::move(configuration)), cache_(std::move(cache)) {
    host_.size = sizeof host_;
    host_.config = skh::borrow(configuration_);
    host_.cache_dir = skh::borrow(cache_);
    host_.log = [](const skh_host *, std::int32_t, skh_str text) noexcept {
      const std::scoped_lock lock(told.mutex);
      told.log.append(skh::view(text)) += '\n';
    };
    host_.metric = [](const skh_host *, std::int32_t, skh_str, double) noexcept {};
    host_.changed = [](const skh_host *) noexcept {
      const std::scoped_lock lock(told.mutex);
      ++told.changes;
      told.heard.notify_all();
    };
    call_.size = sizeof call_;
    call_.deadline_ns = INT64_MAX;
    call_.cancelled = [](const skh_call *) noexcept { return 0; };
    source_ = std::make_unique<StoreSource>(skh::Host(&host_), skh::Call(&call_));
  }

  // Returns the revision by "skill/path", and the snapshot.
  std::map<std::string, std::string> list() {
    return collect([&](const skh::Documents &out) { source_->list(skh::Call(&call_), out); });
  }
  std::map<std::string, std::string> changes(const std::string &since) {
    return collect(
        [&](const skh::Documents &out) { source_->changes(skh::Call(&call_), since, out); });
  }
  // Returns the bytes, or the status as a text.
  std::string read(const std::string &path, const std::string &revision) {
    Bytes bytes;
    bytes.raw.write = [](const skh_bytes *sink, const void *data, std::size_t size) noexcept {
      // The structure is the first member of ours.
      reinterpret_cast<const Bytes *>(sink)->text->append(static_cast<const char *>(data), size);
      return skh_status{SKH_OK};
    };
    std::string text;
    bytes.text = &text;
    skh::Document which;
    which.skill = "pdf";
    which.path = path;
    which.revision = revision;
    try {
      source_->read(skh::Call(&call_), which, skh::Bytes(&bytes.raw));
    } catch (const skh::Error &error) {
      return text + "status " + std::to_string(error.status());
    }
    return text;
  }
  std::string snapshot;

private:
  struct Bytes {
    skh_bytes raw{sizeof(skh_bytes), 0, nullptr};
    std::string *text = nullptr;
  };
  struct Documents {
    skh_documents raw{sizeof(skh_documents), 0, nullptr, nullptr};
    std::map<std::string, std::string> *found = nullptr;
    std::string *snapshot = nullptr;
  };

  template <class Body> std::map<std::string, std::string> collect(Body &&body) {
    std::map<std::string, std::string> found;
    Documents documents;
    documents.found = &found;
    documents.snapshot = &snapshot;
    documents.raw.add = [](const skh_documents *sink, const skh_document *one) noexcept {
      (*reinterpret_cast<const Documents *>(sink)
            ->found)[std::string(skh::view(one->skill)) + '/' + std::string(skh::view(one->path))] =
          (one->flags & SKH_DOC_REMOVED) != 0 ? "removed" : skh::view(one->revision);
      return skh_status{SKH_OK};
    };
    documents.raw.done = [](const skh_documents *sink, skh_str name) noexcept {
      *reinterpret_cast<const Documents *>(sink)->snapshot = skh::view(name);
      return skh_status{SKH_OK};
    };
    body(skh::Documents(&documents.raw));
    return found;
  }

  std::string configuration_, cache_;
  skh_host host_{};
  skh_call call_{};
  std::unique_ptr<StoreSource> source_;
};

std::string of(const Store &store) { return R"({"directory":")" + store.root() + "\"}"; }

} // namespace

TEST_CASE("a store is listed and read by its checksums") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  store.save("pdf", smallSkill());
  Instance instance(of(store));
  const auto listed = instance.list();
  REQUIRE(listed.size() == 4);
  const std::string revision = store.load("pdf").checksum;
  CHECK(listed.at("pdf/SKILL.md") == revision);
  for (const File &file : smallSkill().files)
    CHECK(instance.read(file.path, revision) == file.bytes);
  CHECK(instance.read("SKILL.md", "other") == "status " + std::to_string(SKH_STALE));
  CHECK(instance.read("none", revision) == "status " + std::to_string(SKH_NOT_FOUND));
  CHECK(instance.read("../SKILL.md", revision) == "status " + std::to_string(SKH_NOT_FOUND));
}

TEST_CASE("changes tell what is new, gone, and that nothing is") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  store.save("pdf", smallSkill());
  Instance instance(of(store));
  (void)instance.list();
  const std::string first = instance.snapshot;
  CHECK(instance.changes(first).empty());
  CHECK(instance.snapshot == first);
  int before = 0;
  {
    const std::scoped_lock lock(told.mutex);
    before = told.changes;
  }
  Content content = smallSkill("changed");
  content.files.erase(content.files.begin() + 1);
  store.save("pdf", content);
  store.save("csv", smallSkill());
  {
    std::unique_lock lock(told.mutex);
    REQUIRE(told.heard.wait_for(lock, std::chrono::seconds(100),
                                [&] { return told.changes > before; }));
  }
  (void)instance.list();
  const auto changed = instance.changes(first);
  CHECK(changed.at("pdf/assets/dot.bin") == "removed");
  CHECK(changed.at("pdf/SKILL.md") == store.load("pdf").checksum);
  CHECK(changed.at("csv/SKILL.md") == store.load("csv").checksum);
  store.remove("csv");
  (void)instance.list();
  CHECK(instance.changes(first).count("csv/SKILL.md") == 0);
}

TEST_CASE("no bit that is turned is served, and its neighbours are") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  store.save("csv", smallSkill());
  store.save("pdf", smallSkill());
  const std::string revision = store.load("pdf").checksum;
  Instance lasting(of(store));
  for (const char *name : {"metadata.json", "vfs.json", "checksum.blake3"}) {
    const std::string path = folder.at(std::string("skills/pdf/1/") + name);
    const std::string good = bytesOf(path);
    for (std::size_t byte = 0; byte < good.size(); byte += 7) {
      std::string bad = good;
      bad[byte] = static_cast<char>(static_cast<unsigned char>(bad[byte]) ^ (1U << byte % 8));
      writeBytes(path, bad);
      CHECK(lasting.list().size() == 4);
      Instance fresh(of(store)); // it has never seen the valid bytes
      REQUIRE(fresh.read("SKILL.md", revision) == "status " + std::to_string(SKH_CORRUPT));
    }
    writeBytes(path, good);
  }
  CHECK(lasting.list().size() == 8);
  const std::scoped_lock lock(told.mutex);
  CHECK(told.log.find("skill pdf is not served: pdf, version 1: checksum.blake3") != told.log.npos);
}

TEST_CASE("a store that has gone back is found, by every instance that can know") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  const std::string caches = folder.at("caches");
  const auto cache = [&](const char *name) {
    fs::create_directories(caches + '/' + name);
    return caches + '/' + name;
  };
  store.save("pdf", smallSkill("one"));
  fs::copy(folder.at("skills"), folder.at("backup"), fs::copy_options::recursive);
  store.save("pdf", smallSkill("two"));
  {
    Instance instance(of(store), cache("kept-0123456789abcdef"));
    CHECK(instance.list().size() == 4);
    CHECK(instance.changes(instance.snapshot).empty());
  }
  const auto goBack = [&] {
    fs::remove_all(folder.at("skills"));
    fs::copy(folder.at("backup"), folder.at("skills"), fs::copy_options::recursive);
  };
  goBack();
  CHECK(Instance(of(store)).list().size() == 4); // only the remembered versions reveal it
  Instance again(of(store), cache("kept-0123456789abcdef"));
  CHECK(again.list().empty());
  CHECK(again.read("SKILL.md", store.load("pdf").checksum) ==
        "status " + std::to_string(SKH_DENIED));
  CHECK(Instance(of(store), cache("a-b-0123456789abcdef-2")).list().empty());
  // Folders of others beside it are ignored, because others may write there.
  CHECK(Instance(of(store), cache("kept-0123456789abcdef-fedcba9876543210")).list().size() == 4);
  CHECK(Instance(of(store), cache("kept-fedcba9876543210-2")).list().size() == 4);
  CHECK(Instance(of(store), cache("one")).list().size() == 4);
  {
    const std::scoped_lock lock(told.mutex);
    CHECK_THAT(told.log, Contains("version 1 is older than version 2, which was served before"));
    CHECK_THAT(told.log,
               Contains("skill rollback pdf --to 1 --above 2 --skill-dir " + store.root()));
  }
  // The same number has other bytes.
  store.save("pdf", smallSkill("another two"));
  CHECK(again.list().empty());
  RollbackOptions back;
  back.to = back.above = 2;
  CHECK(store.rollback("pdf", back).version == 3);
  CHECK(again.list().size() == 4);
  // Versions saved since then also count for an instance that looked earlier.
  goBack();
  CHECK(again.list().empty());
  store.remove("pdf");
  store.save("pdf", smallSkill("new"));
  CHECK(again.list().empty()); // the copy of the store only knows its own versions
}

TEST_CASE("what was served is known for certain, or nothing is served") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  fs::create_directories(folder.at("caches/one"));
  store.save("pdf", smallSkill());
  (void)Instance(of(store), folder.at("caches/one")).list();
  std::string file;
  for (const auto &entry : fs::directory_iterator(folder.at("caches/one")))
    file = entry.path().string();
  const std::string good = bytesOf(file);
  for (const std::string &bad : {std::string(), good.substr(0, good.size() / 2), std::string("{}"),
                                 std::string("[1]"), std::string("null")}) {
    CAPTURE(bad);
    writeBytes(file, bad);
    try {
      const Instance damaged(of(store), folder.at("caches/one"));
      FAIL("it was taken");
    } catch (const skh::Error &error) {
      CHECK(error.status() == SKH_CORRUPT);
      CHECK_THAT(error.what(), Contains(file + ": is damaged"));
    }
    CHECK(Instance(of(store), folder.at("caches")).list().size() == 4); // its own folder is missing
  }
  writeBytes(file, good);
  CHECK(Instance(of(store), folder.at("caches/one")).list().size() == 4);
}
