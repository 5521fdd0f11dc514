// SPDX-License-Identifier: Apache-2.0
// Tests of copies: skills on no disk of this machine, for a client that runs their scripts here.
#include "ground/descriptor.hpp"
#include "reader.hpp"
#include "temporary_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>

using namespace skillhost;

namespace {

namespace fs = std::filesystem;

ProtocolSettings copyingTo(const std::string &directory) {
  ProtocolSettings settings = ServerOfTest::settings();
  settings.reading.copies = directory;
  return settings;
}

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

mode_t modeOf(const std::string &path) {
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777U;
}

// Counts the files, folders and locks below a folder.
std::size_t entriesBelow(const std::string &folder) {
  return static_cast<std::size_t>(
      std::distance(fs::recursive_directory_iterator(folder), fs::recursive_directory_iterator()));
}

// A source that counts the reads of all files of a skill at once, and can fail them.
class RemoteSkills final : public SkillsInMemory {
public:
  using SkillsInMemory::SkillsInMemory;
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override {
    const auto isEntry = [](const Document &document) { return document.entry; };
    const auto entries = std::count_if(documents.begin(), documents.end(), isEntry);
    const bool isCopying = entries == 1 && documents.size() > 1;
    copied += isCopying ? 1 : 0;
    if (isCopying) deadline = options.deadline;
    if (!fails || !isCopying)
      return SkillsInMemory::readEach(options, std::move(documents), limit, each, done);
    for (std::size_t i = 0; i < documents.size(); ++i)
      each(i, Failure{Fault::ToolTimeout, "the source did not answer in time"});
    done();
  }
  void list(CallOptions options, ResultCallback<Snapshot> answer) override {
    SkillsInMemory::list(std::move(options), [&](Result<Snapshot> listed) {
      for (Document &document : listed->documents)
        if (!below.empty()) document.location = below + '/' + document.skill + '/' + document.path;
      answer(std::move(listed));
    });
  }
  bool isFilter() const noexcept override { return filters; }

  bool fails = false;
  bool filters = false;
  std::string below; // the folder of this machine with the skills; empty: elsewhere
  int copied = 0;
  Deadline deadline = Deadline::never(); // of the last copy
};

// A client on stdio of a server that copies skills.
struct Copying {
  explicit Copying(SkillsInMemory::Files files = threeSkills())
      : Copying(std::make_shared<RemoteSkills>(std::move(files))) {}
  explicit Copying(std::shared_ptr<RemoteSkills> skills)
      : source(std::move(skills)),
        of(source, copyingTo(copies), ServerOfTest::guarded({}, access)) {
    client = std::make_unique<StdioClient>(of);
    client->ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                              R"("clientInfo":{"name":"t","version":"1"}})");
  }
  Json call(const std::string &tool, const std::string &arguments) {
    return client->ask("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}")
        .at("result");
  }
  // Loads the skill and returns the folder that its text names; "" when there is none.
  std::string load(const std::string &skill = "greeter") {
    const Json result = call("load_skill", R"({"skill_name":")" + skill + R"("})");
    INFO(result.dump());
    REQUIRE(result.value("isError", false) == false);
    status = result.at("structuredContent").at("data").at("status");
    text = result.at("content").at(0).at("text");
    const std::string lead = "Base directory for this skill: ";
    const std::size_t at = text.find(lead);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + lead.size();
    return text.substr(begin, text.find('\n', begin) - begin);
  }
  void become(SkillsInMemory::Files files) {
    source->become(std::move(files));
    std::promise<void> done;
    of.library.reload([&] { done.set_value(); });
    done.get_future().wait();
    // The listeners are called after that, so the test waits for a second round behind them.
    std::promise<void> again;
    of.library.reload([&] { again.set_value(); });
    again.get_future().wait();
  }

  const TemporaryFolder temporary;
  const std::string copies = temporary.path() + "/cache/copies";
  Access access{AccessSettings{}, nullptr};
  std::shared_ptr<RemoteSkills> source;
  ServerOfTest of;
  std::unique_ptr<StdioClient> client;
  std::string status, text;
};

} // namespace

TEST_CASE("a remote skill is copied when it is loaded, and the copy ends with the server") {
  const TemporaryFolder temporary;
  const std::string parent = temporary.path() + "/copies";
  {
    Reader reader(copyingTo(parent));
    CHECK_FALSE(fs::exists(parent));
    reader.data("load_skill", R"({"skill_name":"greeter"})");
    CHECK(entriesBelow(parent) != 0);
  }
  CHECK(fs::is_empty(parent));
  Copying copying;
  const std::string folder = copying.load();
  REQUIRE(folder.starts_with(copying.copies + '/'));
  CHECK(folder.ends_with("/greeter"));
  CHECK(copying.text.find("Read `" + folder + "/references/words.md`") != std::string::npos);
  CHECK(contentOf(folder + "/references/words.md") == "hello\nhi\n");
  CHECK(modeOf(folder + "/references/words.md") == 0444U);
  CHECK(modeOf(folder + "/scripts/greet.sh") == 0555U);
  CHECK(modeOf(folder + "/scripts") == 0555U);
  CHECK(modeOf(folder) == 0555U);
  CHECK(modeOf(copying.copies) == 0700U);
  CHECK(modeOf(fs::path(folder).parent_path().parent_path()) == 0700U);
  // The tool that reads files accepts the copy's paths, too.
  const Json read =
      copying.call("read_skill_document", R"({"skill_name":"greeter","document_path":")" + folder +
                                              R"(/references/words.md"})");
  CHECK(read.at("structuredContent").at("data").at("documents").at(0).at("path") ==
        "references/words.md");
  CHECK(copying.load().empty());
  CHECK(copying.status == "already_loaded");
  CHECK(copying.source->copied == 1);
  CHECK(copying.load("pdf").empty()); // it has no files
}

TEST_CASE("of what a filter has looked at readers get copies, and are not told its folder") {
  const auto inFolder = [](bool filters, SkillsInMemory::Files files = threeSkills()) {
    auto skills = std::make_shared<RemoteSkills>(std::move(files));
    skills->below = "/srv/skills";
    skills->filters = filters;
    return skills;
  };
  const auto prompt = [](Copying &copying) {
    return copying.client->ask("prompts/get", R"({"name":"greeter"})").dump();
  };
  const auto tells = [](const std::string &text) {
    return text.find("/srv/skills") != std::string::npos;
  };
  SECTION("the control: without one it is where it lies") {
    Copying copying(inFolder(false));
    CHECK(tells(prompt(copying)));
    CHECK(copying.load() == "/srv/skills/greeter");
    CHECK(copying.source->copied == 0);
  }
  SECTION("with one it is a copy, for a prompt too") {
    Copying copying(inFolder(true));
    const std::string said = prompt(copying);
    CHECK(said.find(copying.copies) != std::string::npos);
    CHECK_FALSE(tells(said));
    const std::string folder = copying.load();
    REQUIRE(folder.starts_with(copying.copies + '/'));
    CHECK(contentOf(folder + "/references/words.md") == "hello\nhi\n");
    CHECK(copying.source->copied == 1);
    for (const char *const arguments :
         {R"({"skill_name":"greeter"})", R"({"skill_name":"greeter","force_reload":true})"})
      CHECK_FALSE(tells(copying.call("load_skill", arguments).dump()));
    CHECK_FALSE(tells(copying.call("read_skill_document", R"({"skill_name":"greeter"})").dump()));
    CHECK_FALSE(tells(copying.call("list_skills", "{}").dump()));
    CHECK(copying.load("pdf").empty()); // it has no files
    CHECK_FALSE(tells(copying.text));
  }
  SECTION("one that is too large for a copy is read by tools") {
    SkillsInMemory::Files files = threeSkills();
    for (int i = 0; i < 512; ++i) files[{"greeter", "data/" + std::to_string(i)}] = "x";
    Copying copying(inFolder(true, std::move(files)));
    CHECK(copying.load().empty());
    CHECK(copying.text.find("call read_skill_document") != std::string::npos);
    CHECK_FALSE(tells(copying.text));
  }
}

TEST_CASE("a copy goes as soon as what was copied is not served any more") {
  Copying copying;
  const std::string folder = copying.load();
  REQUIRE(fs::exists(folder));
  SkillsInMemory::Files files = threeSkills();
  SECTION("another skill changes: it stays") {
    files[{"team/pdf", "SKILL.md"}] = skillText("pdf", "Writes PDF files.", "New.\n");
    copying.become(files);
    CHECK(fs::exists(folder));
  }
  SECTION("a file changes: it is sent anew, with another folder") {
    files[{"greeter", "scripts/greet.sh"}] = "#!/bin/sh\necho changed\n";
    copying.become(files);
    CHECK_FALSE(fs::exists(folder));
    const std::string next = copying.load();
    CHECK(copying.status == "loaded");
    CHECK(next != folder);
    CHECK(contentOf(next + "/scripts/greet.sh") == "#!/bin/sh\necho changed\n");
  }
  SECTION("somebody removes it: it is made again") {
    fs::remove_all(fs::path(folder).parent_path());
    CHECK(copying.load() == folder);
    CHECK(copying.status == "loaded");
    CHECK(contentOf(folder + "/references/words.md") == "hello\nhi\n");
  }
  SECTION("somebody leaves a part of it: it is made again") {
    fs::rename(folder, fs::path(folder).parent_path() / "left");
    CHECK(copying.load() == folder);
    CHECK(contentOf(folder + "/references/words.md") == "hello\nhi\n");
  }
  SECTION("it is withdrawn") {
    std::erase_if(files, [](const auto &one) { return one.first.first == "greeter"; });
    copying.become(files);
    CHECK(entriesBelow(copying.copies) == 2); // the folder of the process and its lock
  }
  SECTION("a rule of access hides it") {
    copying.access.replaceRules(Visibility::prepare({{{"memory"}, {}, {}, {"ada"}}}, {}), 0);
    files[{"team/pdf", "SKILL.md"}] = skillText("pdf", "Writes PDF files.", "New.\n");
    copying.become(files);
    CHECK_FALSE(fs::exists(folder));
  }
}

TEST_CASE("a skill that cannot be copied whole is read by tools") {
  SkillsInMemory::Files files = threeSkills();
  const auto loaded = [](Copying &copying) {
    const std::string folder = copying.load();
    if (folder.empty()) CHECK(copying.text.find("call read_skill_document") != std::string::npos);
    return folder;
  };
  SECTION("its source is slow") {
    Copying copying(files);
    copying.source->fails = true;
    CHECK(loaded(copying).empty());
    // The limit is half of the deadline of a call, and at most 5 s.
    CHECK(copying.source->deadline.at() <= Deadline::Clock::now() + std::chrono::seconds(5));
    CHECK(entriesBelow(copying.copies) == 2);
    copying.source->fails = false;
    copying.load();
    CHECK(copying.source->copied == 1); // it is not tried again at once
  }
  SECTION("it has too many files") {
    for (int i = 0; i < 512; ++i) files[{"greeter", "data/" + std::to_string(i)}] = "x";
    Copying copying(files);
    CHECK(loaded(copying).empty());
    CHECK_FALSE(fs::exists(copying.copies));
  }
  SECTION("it has too many bytes") {
    files[{"greeter", "data"}] = std::string((16U << 20U) + 1, 'x');
    Copying copying(files);
    CHECK(loaded(copying).empty());
    CHECK_FALSE(fs::exists(copying.copies));
  }
  SECTION("a path leads out of it") {
    files[{"greeter", "a/../../../evil"}] = "x";
    Copying copying(files);
    CHECK(loaded(copying).empty());
    CHECK(entriesBelow(copying.copies) == 2);
  }
  SECTION("a file is where a folder should be") {
    files[{"greeter", "a"}] = "x";
    files[{"greeter", "a/b"}] = "x";
    Copying copying(files);
    CHECK(loaded(copying).empty());
    CHECK(entriesBelow(copying.copies) == 2);
  }
  SECTION("others may write to the folder of copies") {
    Copying copying(files);
    fs::create_directories(copying.copies);
    fs::permissions(copying.copies, fs::perms::all);
    CHECK(loaded(copying).empty());
    CHECK(fs::is_empty(copying.copies));
  }
  SECTION("but names that differ by case alone are two files") {
    files[{"greeter", "references/WORDS.md"}] = "HELLO\n";
    Copying copying(files);
    const std::string folder = loaded(copying);
    CHECK(contentOf(folder + "/references/WORDS.md") == "HELLO\n");
    CHECK(contentOf(folder + "/references/words.md") == "hello\nhi\n");
  }
}

TEST_CASE("what a process has left that was killed goes, and what another one has stays") {
  const TemporaryFolder temporary;
  const std::string copies = temporary.path();
  for (const char *one : {"000000de", "000000a1"}) {
    fs::create_directories(copies + '/' + one + "/key/skill");
    std::ofstream(copies + '/' + one + "/key/skill/SKILL.md") << "text";
    fs::permissions(copies + '/' + one + "/key/skill", fs::perms{0555});
    std::ofstream(copies + '/' + one + ".lock");
  }
  const Descriptor held(::open((copies + "/000000a1.lock").c_str(), O_RDWR | O_CLOEXEC));
  REQUIRE(::flock(held.number(), LOCK_EX | LOCK_NB) == 0);
  const Reader reader(copyingTo(copies));
  CHECK_FALSE(fs::exists(copies + "/000000de"));
  CHECK_FALSE(fs::exists(copies + "/000000de.lock"));
  CHECK(fs::exists(copies + "/000000a1/key/skill/SKILL.md"));
}
