// SPDX-License-Identifier: Apache-2.0
#include "local_source.hpp"

#include "ground/await.hpp"
#include "ground/json.hpp"
#include "ground/json_member.hpp"
#include "host.hpp"
#include "skill_digests.hpp"
#include "skillmd/name_rules.hpp"
#include "skillmd/naming.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::sync {
namespace {

namespace fs = std::filesystem;
using app::Host;

constexpr std::size_t maxSourceFileBytes = std::size_t{256} << 20U;
constexpr std::size_t schemeLength = 7; // of "sha256:"

// Wakes the thread that waits for another catalogue.
class ChangeBell final : public Observer {
public:
  ChangeBell() : Observer(event::catalogueChanged) {}

  void catalogueChanged(std::shared_ptr<const Catalogue>,
                        std::uint64_t generation) noexcept override {
    {
      const std::scoped_lock lock(mutex_);
      newest_ = generation;
    }
    changed_.notify_all();
  }
  // Returns when there is another catalogue than that one.
  void await(std::uint64_t known, std::chrono::milliseconds atMost) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, atMost, [&] { return newest_ > known; });
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t newest_ = 0;
};

// Returns the bell of this process. A feature is made by a function without arguments of its own,
// so it cannot receive a bell of its own.
const std::shared_ptr<ChangeBell> &changeBell() {
  static const auto bell = std::make_shared<ChangeBell>();
  return bell;
}

class ChangeFeature final : public app::ObserverFeature {
public:
  std::shared_ptr<Observer> observer() override { return changeBell(); }
};

std::unique_ptr<app::ObserverFeature> makeChangeFeature(const app::Configuration &) {
  return std::make_unique<ChangeFeature>();
}

app::Features featuresOfSync(const app::Configuration &configuration) {
  return {app::ObserverFeatureList{{.name = "sync", .make = makeChangeFeature}}, configuration};
}

// Returns the folder of the skill on this machine; empty if its source is elsewhere.
std::string folderOnDisk(const Skill &skill) {
  const std::string &file = skill.entry().location;
  if (!file.starts_with('/')) return {};
  std::error_code error;
  return fs::weakly_canonical(fs::path(file).parent_path(), error).string();
}

// Returns the reason why agents would list the skill under another name; empty if they would not.
// Without a name in SKILL.md they take that of the folder.
std::string refusalOf(const CatalogueEntry &entry) {
  const Result<Json> frontMatter = parseJson(entry.skill->fields.frontMatter);
  if (!frontMatter) return {};
  const Json &name = memberOf(*frontMatter, "name");
  if (!name.is_string() || name == entry.name) return {};
  return otherNameWords(name.get_ref<const std::string &>());
}

// Returns the URI of the skill's folder, without the skill's name.
std::string folderUriOf(const Skill &skill) {
  return std::string(skillScheme) + encodePath(skill.id);
}

// Leaves out the skills that the host does not serve because of an error in them, so that they are
// not removed.
void leaveOutDamaged(const Catalogue &catalogue, OfferMaker &maker) {
  for (const auto &skill : catalogue.leftOut()) {
    const auto why =
        std::find_if(skill->findings.begin(), skill->findings.end(),
                     [](const Finding &one) { return one.severity == Severity::Error; });
    maker.leaveOutDamaged(skill->fields.name,
                          why == skill->findings.end() ? "another skill has its name"
                                                       : why->message + " (" + why->file + ')',
                          folderUriOf(*skill));
  }
}

class LocalSource final : public SkillSource {
public:
  LocalSource(const app::Configuration &configuration, const std::string &executable,
              OriginOfFolder origin)
      : patience_(configuration.deadlines.scan), origin_(std::move(origin)),
        host_(configuration, executable, app::builtForHosts(), Host::Role::Alone,
              featuresOfSync(configuration)) {
    host_.waitUntilReady(false);
  }

  std::string origin(const std::string &folder) const override { return origin_(folder); }

  Offer offer() override {
    Library &library = host_.library();
    // A source may have served what it knew last time.
    awaitDone([&](const auto &reloaded) { library.reload(reloaded); });
    const auto catalogue = library.catalogue();
    generation_ = catalogue->generation();
    std::vector<std::shared_ptr<const Skill>> skills;
    for (const CatalogueEntry &entry : catalogue->entries()) skills.push_back(entry.skill);
    const auto manifests = app::digestsOf(library, std::move(skills), patience_);
    if (!manifests) throw std::runtime_error(manifests.failure().message);
    offered_.clear();
    OfferMaker maker;
    for (std::size_t i = 0; i < manifests->size(); ++i)
      add(catalogue->entries()[i], (*manifests)[i], maker);
    leaveOutDamaged(*catalogue, maker);
    Offer offer = std::move(maker).finish();
    for (const SourceStatus &source : catalogue->sources())
      if (!source.failure.empty())
        offer.whyIncomplete =
            "the source " + source.name + " failed: " + std::string(source.reason());
    return offer;
  }

  FileBytes read(const OfferedSkill &offered) override {
    const Skill &skill = *offered_.at(offered.name);
    const std::shared_ptr<Source> source = host_.library().source(skill.source);
    if (!source) throw std::runtime_error("the source " + skill.source + " is gone");
    std::vector<Result<std::string>> answers(skill.files.size(),
                                             {Fault::OperationFailed, "was not read"});
    CallOptions options;
    options.deadline = Deadline::after(patience_);
    awaitDone([&](const auto &done) {
      source->readEach(
          options, skill.files.list(), maxSourceFileBytes,
          [&answers](std::size_t file, Result<std::string> bytes) {
            answers[file] = std::move(bytes);
          },
          [done] { done(); });
    });
    FileBytes files;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const std::string path(skill.announcedPath(i));
      if (!answers[i]) throw std::runtime_error(path + ": " + answers[i].failure().message);
      files.emplace(path, *std::move(answers[i]));
    }
    return files;
  }

  void awaitChange(std::chrono::milliseconds atMost) override {
    changeBell()->await(generation_, atMost);
  }

private:
  void add(const CatalogueEntry &entry, const ManifestPointer &manifest, OfferMaker &maker) {
    const Skill &skill = *entry.skill;
    if (entry.name == skill.id) { // it does not hold its own name
      const std::string_view rule = brokenNameRule(skill.fields.name);
      return maker.leaveOut(entry.name,
                            rule.empty() ? "another skill has the name " + skill.fields.name
                                         : "no agent takes its name \"" + skill.fields.name +
                                               "\": " + std::string(rule),
                            folderUriOf(skill));
    }
    if (!manifest)
      return maker.leaveOut(entry.name, "its files cannot be read now", folderUriOf(skill));
    OfferedSkill offered{entry.name, {}, folderOnDisk(skill), refusalOf(entry), folderUriOf(skill)};
    for (std::size_t i = 0; i < manifest->size(); ++i)
      offered.files[std::string(skill.announcedPath(i))] = {
          (*manifest)[i].digest.substr(schemeLength), skill.files[i].executable,
          (*manifest)[i].size};
    if (maker.add(std::move(offered))) offered_[entry.name] = entry.skill;
  }

  const std::chrono::milliseconds patience_;
  const OriginOfFolder origin_;
  Host host_;
  std::uint64_t generation_ = 0;
  std::map<std::string, std::shared_ptr<const Skill>> offered_; // by name
};

} // namespace

std::unique_ptr<SkillSource> localSource(const app::Configuration &configuration,
                                         const std::string &executable, OriginOfFolder origin) {
  return std::make_unique<LocalSource>(configuration, executable, std::move(origin));
}

} // namespace skillhost::sync
