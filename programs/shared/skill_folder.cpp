// SPDX-License-Identifier: Apache-2.0
#include "skill_folder.hpp"

#include "ground/document_names.hpp"
#include "store/folder.hpp"
#include "store/limits.hpp"
#include "store/problem.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace skillhost {
namespace {

using store::Folder;

std::string readAll(const Descriptor &file, std::size_t size, const std::string &path) {
  std::string bytes(size + 1, '\0'); // one more byte, to detect growth
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(file.number(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) store::failOfSystem(path, "cannot be read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  if (done > size) throw std::runtime_error(path + ": changed while it was read; try again");
  bytes.resize(done);
  return bytes;
}

enum class Take : std::uint8_t { Everything, Documents };

class FolderReading {
public:
  explicit FolderReading(Take take) : take_(take) {}

  SkillDocuments all(const Folder &folder) {
    read(folder, "");
    return std::move(found_);
  }

private:
  // Decides by the name whether a file is included.
  bool isTaken(const Folder &folder, const std::string &name) {
    if (name == ".git") return false;
    if (take_ == Take::Everything) return true;
    const NameKind kind = kindOfName(name);
    if (kind == NameKind::Secret)
      found_.leftOut.emplace_back(folder.pathOf(name), "by its name it holds a secret");
    return kind == NameKind::Document;
  }

  // The length of a path and the number of files limit the depth.
  void read(const Folder &folder, const std::string &prefix) {
    if (prefix.size() > store::maxPathBytes)
      throw std::runtime_error(folder.path() + ": its path is too long");
    for (const std::string &name : folder.names()) {
      if (!isTaken(folder, name)) continue;
      if (const std::optional<Folder> inside = folder.folder(name)) {
        read(*inside, prefix + name + '/');
        continue;
      }
      struct stat status{};
      const std::optional<Descriptor> file = folder.file(name, status);
      if (!file)
        throw std::runtime_error(folder.pathOf(name) +
                                 ": is a link or no regular file; put a copy in its place, or save "
                                 "the skill by its name from the sources that serve it");
      bytes_ += static_cast<std::size_t>(status.st_size);
      if (bytes_ > store::maxBytes || found_.content.files.size() == store::maxFiles)
        throw std::runtime_error(folder.pathOf(name) +
                                 ": is one too many: a skill has at most 512 files and 16 MiB");
      std::string bytes =
          readAll(*file, static_cast<std::size_t>(status.st_size), folder.pathOf(name));
      if (take_ == Take::Documents && isLfsPointer(bytes)) {
        found_.leftOut.emplace_back(folder.pathOf(name),
                                    "it is a pointer of Git LFS, and the file itself is not here: "
                                    "git lfs pull");
        continue;
      }
      found_.content.files.push_back(
          {prefix + name, std::move(bytes), (status.st_mode & S_IXUSR) != 0});
    }
  }

  const Take take_;
  SkillDocuments found_;
  std::size_t bytes_ = 0;
};

SkillDocuments readFolder(const std::string &path, Take take) {
  const std::optional<Folder> folder = Folder::open(path);
  if (!folder) throw std::runtime_error(path + ": there is no such folder");
  return FolderReading(take).all(*folder);
}

} // namespace

store::Content readSkillFolder(const std::string &path) {
  return readFolder(path, Take::Everything).content;
}

SkillDocuments readSkillDocuments(const std::string &path) {
  return readFolder(path, Take::Documents);
}

std::string readWholeFile(const std::string &path, std::size_t maxBytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file || ::fstat(file.number(), &status) != 0) store::failOfSystem(path, "cannot be opened");
  if (!S_ISREG(status.st_mode)) throw std::runtime_error(path + ": is no regular file");
  if (static_cast<std::size_t>(status.st_size) > maxBytes)
    throw std::runtime_error(path + ": has more than " + std::to_string(maxBytes >> 20U) + " MiB");
  return readAll(file, static_cast<std::size_t>(status.st_size), path);
}

Result<SkillFields> fieldsInDocument(const std::string &document, const std::string &fallback,
                                     const std::string &file) {
  const FrontMatterResult matter = parseFrontMatter(document, file);
  const auto firstError = [](const std::vector<Finding> &findings) -> std::string {
    for (const Finding &finding : findings)
      if (finding.severity == Severity::Error) return render(finding);
    return "it cannot be served";
  };
  if (!matter.frontMatter) return {Fault::InvalidInput, firstError(matter.findings)};
  Assessment assessment = assess(*matter.frontMatter, fallback, file, Strictness::Lenient);
  if (!assessment.fields) return {Fault::InvalidInput, firstError(assessment.findings)};
  if (assessment.fields->name.empty()) assessment.fields->name = fallback;
  return *std::move(assessment.fields);
}

Result<std::string> nameInDocument(const std::string &document, const std::string &fallback,
                                   const std::string &file) {
  Result<SkillFields> fields = fieldsInDocument(document, fallback, file);
  if (!fields) return fields.failure();
  return std::move(fields->name);
}

} // namespace skillhost
