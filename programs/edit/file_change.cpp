// SPDX-License-Identifier: Apache-2.0
#include "file_change.hpp"

#include "ground/read_file.hpp"

#include <filesystem>
#include <system_error>

namespace skillhost::app::edit {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t maxFileBytes = 16'777'216; // bytes

} // namespace

Result<std::string> textOf(const std::string &path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    if (error) return Failure{Fault::OperationFailed, path + ": " + error.message()};
    return std::string{};
  }
  Result<std::string> content = readFile(path, maxFileBytes, FileKind::Regular);
  if (!content) return Failure{content.failure().fault, path + ": " + content.failure().message};
  return content;
}

Result<FileChanged> changeFile(const FileChange &wanted) {
  const Result<std::string> before = textOf(wanted.path);
  if (!before) return before.failure();
  const Result<std::string> after =
      changed(wanted.format, before->empty() ? wanted.initial : *before, wanted.change);
  if (!after) {
    const bool unreadable = after.failure().fault != Fault::Conflict;
    return Failure{after.failure().fault,
                   wanted.path + (unreadable ? ":" : ": ") + after.failure().message};
  }
  if (*after == *before) return FileChanged{};
  FileChanged done{true, {}};
  std::error_code error;
  if (fs::exists(wanted.path, error)) {
    done.backup = wanted.path + ".skillhost-backup";
    if (const Status saved =
            replaceFile(done.backup, *before, FileReaders::Owner, FileLinks::Replace,
                        std::nullopt, // another user may have put a link there
                        wanted.path);
        !saved)
      return saved.failure();
  } else {
    fs::create_directories(fs::path(wanted.path).parent_path(), error);
    if (error) return Failure{Fault::OperationFailed, wanted.path + ": " + error.message()};
  }
  const bool isNew = done.backup.empty();
  if (const Status written =
          replaceFile(wanted.path, *after, isNew ? wanted.readers : FileReaders::Everybody,
                      // Conflict if another program wrote the file meanwhile.
                      FileLinks::Follow, *before);
      !written)
    return written.failure();
  return done;
}

} // namespace skillhost::app::edit
