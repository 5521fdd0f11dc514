// SPDX-License-Identifier: Apache-2.0
#include "skill_files.hpp"

#include "ground/guarded.hpp"
#include "ground/sha256.hpp"
#include "paths/collisions.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

namespace skillhost::git {
namespace {

constexpr std::size_t maxBytesOfSkill = std::size_t{16} << 20U;
constexpr std::chrono::seconds readingLimit{30};

Failure tooLargeFor(const Skill &skill) {
  return {Fault::TooLarge, skill.id + " has more than 16 MiB"};
}

// The files of a skill while they are read.
struct Reading {
  std::shared_ptr<const Skill> skill;
  std::vector<File> files; // each written by one thread
  std::atomic<std::size_t> bytes{0};
  Guarded<std::optional<Failure>> trouble; // the first one
  std::function<void(Result<std::vector<File>>)> answer;

  void take(std::size_t file, Result<std::string> bytesOfFile) {
    if (bytesOfFile &&
        bytes.fetch_add(bytesOfFile->size()) + bytesOfFile->size() <= maxBytesOfSkill) {
      files[file].bytes = *std::move(bytesOfFile);
      return;
    }
    trouble.with([&](auto &failure) {
      if (!failure) failure = bytesOfFile ? tooLargeFor(*skill) : bytesOfFile.failure();
    });
  }
  void finish() {
    if (auto failure = trouble.copy()) return answer(*std::move(failure));
    answer(std::move(files));
  }
};

} // namespace

std::string keyOf(const Skill &skill) {
  std::string all = skill.id;
  for (std::size_t i = 0; i < skill.files.size(); ++i)
    ((all += '\0') += skill.announcedPath(i)) +=
        '\0' + skill.files[i].revision + (skill.files[i].executable ? "\nx" : "\n");
  return sha256Hex(all);
}

std::string unsafeFileOf(const Skill &skill) {
  for (std::size_t i = 0; i < skill.files.size(); ++i)
    if (!isSafePath(skill.announcedPath(i))) return std::string(skill.announcedPath(i));
  return {};
}

std::string collidingFileOf(const std::vector<File> &files) {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const File &file : files) names.push_back(file.path);
  return paths::firstCollision(names);
}

void readFiles(Library &library, const std::shared_ptr<const Skill> &skill,
               std::function<void(Result<std::vector<File>>)> answer) {
  const std::shared_ptr<Source> source = library.source(skill->source);
  if (!source)
    return answer(Failure{Fault::Unavailable, "the source " + skill->source + " is gone"});
  const auto reading = std::make_shared<Reading>();
  reading->skill = skill;
  reading->answer = std::move(answer);
  std::vector<Document> documents;
  for (std::size_t i = 0; i < skill->files.size(); ++i) {
    std::string path(skill->announcedPath(i));
    if (!isSafePath(path)) continue;
    reading->files.push_back({std::move(path), {}, skill->files[i].executable});
    documents.push_back(skill->files[i]);
  }
  CallOptions options;
  options.deadline = Deadline::after(readingLimit);
  source->readEach(
      options, std::move(documents), maxBytesOfSkill,
      [reading](std::size_t file, Result<std::string> read) {
        reading->take(file, std::move(read));
      },
      [reading] { reading->finish(); });
}

} // namespace skillhost::git
