// SPDX-License-Identifier: Apache-2.0
// A source plugin in C++ that serves the skills in one JSON file and follows the file's changes.
//
// Calls may overlap on any threads. The bundle in memory is immutable and replaced as a whole;
// mutex_ guards only the two pointers to it. A thread looks at the file each second, and tells the
// host when it is another one: the host then calls changes().
#include "bundle.hpp"

#include <skillhost/config.hpp>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>

#include <sys/stat.h>

namespace {

// Identifies one state of a file without reading it. All fields are zero if there is no file.
struct FileState {
  explicit FileState(const std::string &path) {
    struct stat found{};
    if (::stat(path.c_str(), &found) != 0) return;
    inode = found.st_ino;
    size = found.st_size;
    changed = found.st_ctim.tv_sec;
    nanoseconds = found.st_ctim.tv_nsec;
  }
  bool operator==(const FileState &) const = default;

  ino_t inode = 0;
  off_t size = 0;
  time_t changed = 0;
  long nanoseconds = 0;
};

class BundleSource final : public skh::Source {
public:
  // A file that cannot be read now may appear later, so this refuses only a path that can never
  // work.
  BundleSource(skh::Host host, const skh::Call &)
      : host_(host), file_(skh::Config(host).text("file")) {
    if (file_.empty() || file_.front() != '/')
      throw skh::Error(SKH_INVALID, "file: must be an absolute path, is \"" + file_ + '"');
  }

  void list(const skh::Call &call, const skh::Documents &out) override {
    const auto bundle = load();
    for (const auto &[skill, files] : bundle->skills)
      for (const auto &[path, file] : files) {
        call.point();
        out.add(describe(skill, path, file));
      }
    out.done(bundle->snapshot);
  }

  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override {
    const auto bundle = current();
    const BundledFile *file = find(*bundle, which.skill, which.path);
    if (file == nullptr) throw skh::Error(SKH_NOT_FOUND, "no such document in " + file_);
    if (file->revision != which.revision)
      throw skh::Error(SKH_STALE, file_ + " holds another revision of the document");
    constexpr std::size_t chunk = std::size_t{64} * 1024;
    const std::string_view text = file->text;
    for (std::size_t at = 0; at < text.size(); at += chunk) {
      call.point();
      out.write(text.substr(at, chunk));
    }
  }

  void changes(const skh::Call &call, std::string_view since, const skh::Documents &out) override {
    const auto now = load();
    const auto before = known(since);
    if (before == nullptr) throw skh::Error(SKH_STALE, "that snapshot is no longer known");
    if (before != now) difference(call, *before, *now, out);
    out.done(now->snapshot);
  }

private:
  using Shared = std::shared_ptr<const Bundle>;

  // Runs until the instance is destroyed. It polls, because inotify is not allowed in a process of
  // the plugin's own. changed() is cheap, and the host asks only once for several calls.
  void watch(const std::stop_token &stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait_for(lock, stop, std::chrono::seconds(1), [&] { return stop.stop_requested(); });
      if (stop.stop_requested()) return;
      const FileState now(file_);
      if (now == seen_) continue;
      seen_ = now;
      host_.changed();
    }
  }

  static skh::Document describe(std::string_view skill, std::string_view path,
                                const BundledFile &file) {
    const std::uint32_t flags = path == "SKILL.md" ? std::uint32_t{SKH_DOC_ENTRY} : 0;
    return {skill, path, file.revision, file.text.size(), flags, {}};
  }

  static const BundledFile *find(const Bundle &bundle, std::string_view skill,
                                 std::string_view path) {
    const auto files = bundle.skills.find(std::string(skill));
    if (files == bundle.skills.end()) return nullptr;
    const auto file = files->second.find(std::string(path));
    return file == files->second.end() ? nullptr : &file->second;
  }

  static void difference(const skh::Call &call, const Bundle &before, const Bundle &now,
                         const skh::Documents &out) {
    for (const auto &[skill, files] : before.skills)
      for (const auto &[path, file] : files)
        if (find(now, skill, path) == nullptr) out.add({skill, path, {}, 0, SKH_DOC_REMOVED, {}});
    for (const auto &[skill, files] : now.skills)
      for (const auto &[path, file] : files) {
        call.point();
        const BundledFile *old = find(before, skill, path);
        if (old == nullptr || old->revision != file.revision) out.add(describe(skill, path, file));
      }
  }

  // Reads the file and returns its present version, which is the same object as before as long as
  // the contents are equal.
  Shared load() {
    std::ifstream stream(file_, std::ios::binary);
    if (!stream) throw skh::Error(SKH_UNAVAILABLE, file_ + ": cannot be opened");
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (stream.bad()) throw skh::Error(SKH_UNAVAILABLE, file_ + ": cannot be read");
    Shared loaded;
    try {
      loaded = std::make_shared<const Bundle>(Bundle::parse(text));
    } catch (const std::runtime_error &error) {
      throw skh::Error(SKH_CORRUPT, file_ + ": " + error.what());
    }
    {
      const std::lock_guard lock(mutex_);
      if (current_ != nullptr && current_->snapshot == loaded->snapshot) return current_;
      previous_ = std::exchange(current_, loaded);
    }
    for (const std::string &warning : loaded->warnings)
      host_.log(SKH_WARN, file_ + ": left out: " + warning);
    return loaded;
  }

  // Returns the version that was loaded last. Loads the file when there is none yet.
  Shared current() {
    {
      const std::lock_guard lock(mutex_);
      if (current_ != nullptr) return current_;
    }
    return load();
  }

  Shared known(std::string_view snapshot) {
    const std::lock_guard lock(mutex_);
    for (const Shared &bundle : {current_, previous_})
      if (bundle != nullptr && bundle->snapshot == snapshot) return bundle;
    return nullptr;
  }

  skh::Host host_;
  std::string file_;
  std::mutex mutex_;
  Shared current_, previous_;
  // The state is taken before the first list(), so that no later change is missed. Only the thread
  // uses it afterwards.
  FileState seen_{file_};
  // The last member: its destructor ends the thread before the others are destroyed.
  std::jthread watching_{[this](const std::stop_token &stop) { watch(stop); }};
};

constexpr const char *schema = R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "type": "object",
  "properties": {
    "file": {
      "type": "string",
      "description": "Absolute path of the bundle: {\"skills\": {skill: {path: text}}}"
    }
  },
  "required": ["file"],
  "additionalProperties": false
})";

} // namespace

SKH_PLUGIN(skh::source<BundleSource>("org.example.bundle", "1.0.0", "Skills in one JSON file",
                                     schema));
