// SPDX-License-Identifier: Apache-2.0
#include "skill_digests.hpp"

#include "ground/await.hpp"
#include "ground/sha256.hpp"

#include <algorithm>
#include <utility>

namespace skillhost::app {
namespace {

constexpr std::size_t readAtOnce = 200; // skills, to limit the files in memory
constexpr std::size_t schemeBytes = 7;  // length of "sha256:"

} // namespace

Result<std::vector<ManifestPointer>> digestsOf(Library &library,
                                               std::vector<std::shared_ptr<const Skill>> skills,
                                               std::chrono::milliseconds each) {
  std::vector<ManifestPointer> all;
  all.reserve(skills.size());
  for (std::size_t begin = 0; begin < skills.size(); begin += readAtOnce) {
    const std::size_t end = std::min(begin + readAtOnce, skills.size());
    const auto at = [&](std::size_t i) { return skills.begin() + static_cast<std::ptrdiff_t>(i); };
    CallOptions options;
    options.deadline = Deadline::after(each);
    auto found = awaitAnswer<Result<std::vector<ManifestPointer>>>(
        [&](ResultCallback<std::vector<ManifestPointer>> answer) {
          findManifests(library, {at(begin), at(end)}, options, std::move(answer));
        });
    if (!found) return std::move(found).failure();
    std::move(found->begin(), found->end(), std::back_inserter(all));
  }
  return all;
}

std::string digestOfAll(const Skill &skill, const Manifest &manifest) {
  std::vector<std::pair<std::string_view, std::string_view>> files;
  files.reserve(manifest.size());
  for (std::size_t i = 0; i < manifest.size(); ++i)
    files.emplace_back(skill.filePaths[i],
                       std::string_view(manifest[i].digest).substr(schemeBytes));
  std::sort(files.begin(), files.end());
  std::string text;
  for (const auto &[path, digest] : files) ((text.append(digest) += "  ").append(path)) += '\n';
  return "sha256:" + sha256Hex(text);
}

} // namespace skillhost::app
