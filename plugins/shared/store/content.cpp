// SPDX-License-Identifier: Apache-2.0
#include "content.hpp"

#include "limits.hpp"
#include "names.hpp"
#include "problem.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace skillhost::store {
namespace {

class ContentCheck {
public:
  explicit ContentCheck(const std::string &skill) : skill_(skill) {}

  void add(const File &file) {
    if (const std::string wrong = faultInPath(file.path); !wrong.empty())
      refuse("\"" + file.path + "\": " + wrong);
    const std::string &path = file.path;
    for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1))
      claim(path.substr(0, end), Kind::Folder);
    claim(path, Kind::File);
    bytes_ += file.bytes.size();
    if (bytes_ > maxBytes) refuse("its files have more than 16 MiB; leave out what nobody reads");
  }
  [[noreturn]] void refuse(const std::string &why) const {
    throw StoreError(Problem::Refused, skill_ + ": " + why);
  }

private:
  enum class Kind : std::uint8_t { File, Folder };
  struct Claim {
    std::string path;
    Kind kind;
  };

  void claim(const std::string &path, Kind kind) {
    const auto [place, fresh] = claims_.try_emplace(folded(path), Claim{path, kind});
    const Claim &before = place->second;
    if (fresh || (before.path == path && kind == Kind::Folder && before.kind == kind)) return;
    if (before.path == path) refuse("\"" + path + "\" is there twice");
    refuse("\"" + before.path + "\" and \"" + path +
           "\" differ in case or Unicode form alone: rename one");
  }

  const std::string &skill_;
  std::map<std::string, Claim> claims_;
  std::size_t bytes_ = 0;
};

} // namespace

void checkContent(const std::string &skill, Content &content) {
  ContentCheck check(skill);
  if (content.files.size() > maxFiles) check.refuse("it has more than 512 files");
  if (content.module.size() > maxModuleBytes) check.refuse("module.wasm has more than 16 MiB");
  std::sort(content.files.begin(), content.files.end(),
            [](const File &a, const File &b) { return a.path < b.path; });
  for (const File &file : content.files) check.add(file);
  if (std::none_of(content.files.begin(), content.files.end(),
                   [](const File &file) { return file.path == "SKILL.md"; }))
    check.refuse("it has no file SKILL.md");
}

} // namespace skillhost::store
