// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace skillhost::filesystem::test {
namespace fs = std::filesystem;
namespace {

using Operations = skh::SourceOps<FilesystemSource>;

struct DocumentSink : skh_documents {
  DocumentSink() : skh_documents{sizeof(skh_documents), 0, &take, &finish} {}

  static skh_status take(const skh_documents *self, const skh_document *document) noexcept {
    Listing &listing = *static_cast<const DocumentSink *>(self)->listing;
    const std::string name =
        std::string(skh::view(document->skill)).append(":").append(skh::view(document->path));
    const Listed listed{std::string(skh::view(document->revision)),
                        std::string(skh::view(document->location)), document->length,
                        document->flags};
    if (!listing.documents.emplace(name, listed).second) ++listing.repeated;
    return SKH_OK;
  }
  static skh_status finish(const skh_documents *self, skh_str snapshot) noexcept {
    static_cast<const DocumentSink *>(self)->listing->snapshot = skh::view(snapshot);
    return SKH_OK;
  }

  Listing *listing = nullptr;
};

struct ByteSink : skh_bytes {
  ByteSink() : skh_bytes{sizeof(skh_bytes), 0, &take} {}

  static skh_status take(const skh_bytes *self, const void *data, size_t count) noexcept {
    static_cast<const ByteSink *>(self)->bytes->append(static_cast<const char *>(data), count);
    return SKH_OK;
  }

  std::string *bytes = nullptr;
};

} // namespace

Tree::Tree() {
  std::string pattern = (fs::temp_directory_path() / "skillhost-fs-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
  root_ = fs::canonical(pattern);
}

Tree::~Tree() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

std::string Tree::at(const std::string &path) const {
  return path.empty() ? root_.string() : (root_ / path).string();
}

void Tree::write(const std::string &path, const std::string &text) const {
  fs::create_directories((root_ / path).parent_path());
  std::ofstream(root_ / path, std::ios::binary) << text;
}

void Tree::skill(const std::string &folder) const {
  write(folder.empty() ? "SKILL.md" : folder + "/SKILL.md", "---\nname: x\n---\n");
}

void Tree::link(const std::string &target, const std::string &path) const {
  fs::create_directories((root_ / path).parent_path());
  fs::create_symlink(target, root_ / path);
}

void Tree::remove(const std::string &path) const { fs::remove_all(root_ / path); }

void Tree::rename(const std::string &from, const std::string &to) const {
  fs::rename(root_ / from, root_ / to);
}

std::vector<std::string> Listing::names() const {
  std::vector<std::string> all;
  all.reserve(documents.size());
  for (const auto &[name, listed] : documents) all.push_back(name);
  return all;
}

struct Instance::Sides {
  struct Host : skh_host {
    Sides *sides = nullptr;
  } host{};
  struct Call : skh_call {
    Sides *sides = nullptr;
  } call{};

  std::atomic<bool> *cancelled = nullptr;
  std::string configuration, message;
  std::mutex mutex;
  std::condition_variable hinted;
  std::vector<std::string> log;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> progress;
  int hints = 0;

  static Sides &of(const skh_host *host) { return *static_cast<const Host *>(host)->sides; }
  static Sides &of(const skh_call *call) { return *static_cast<const Call *>(call)->sides; }

  static void onLog(const skh_host *host, int32_t, skh_str text) noexcept {
    const std::scoped_lock lock(of(host).mutex);
    of(host).log.emplace_back(skh::view(text));
  }
  static void onChanged(const skh_host *host) noexcept {
    const std::scoped_lock lock(of(host).mutex);
    ++of(host).hints;
    of(host).hinted.notify_all();
  }
  static int32_t isCancelled(const skh_call *call) noexcept { return *of(call).cancelled ? 1 : 0; }
  static void onProgress(const skh_call *call, std::uint64_t done, std::uint64_t total,
                         skh_str) noexcept {
    const std::scoped_lock lock(of(call).mutex);
    of(call).progress.emplace_back(done, total);
  }
  static void onFail(const skh_call *call, skh_str text) noexcept {
    const std::scoped_lock lock(of(call).mutex);
    of(call).message = skh::view(text);
  }
};

Instance::Instance(const std::vector<std::string> &directories, const std::string &more)
    : sides_(std::make_unique<Sides>()) {
  std::string list;
  for (const std::string &directory : directories) {
    list += (list.empty() ? "\"" : ",\"") + directory + "\"";
  }
  sides_->configuration = R"({"directories":[)" + list + "]" + more + "}";
  sides_->cancelled = &cancelled_;
  sides_->host.size = sizeof(skh_host);
  sides_->host.config = skh::borrow(sides_->configuration);
  sides_->host.log = &Sides::onLog;
  sides_->host.changed = &Sides::onChanged;
  sides_->host.sides = sides_.get();
  sides_->call.size = sizeof(skh_call);
  sides_->call.cancelled = &Sides::isCancelled;
  sides_->call.progress = &Sides::onProgress;
  sides_->call.fail = &Sides::onFail;
  sides_->call.sides = sides_.get();
  source_ = std::make_unique<FilesystemSource>(skh::Host(&sides_->host), skh::Call(&sides_->call));
}

Instance::Instance(const Tree &tree, const std::string &more)
    : Instance(std::vector<std::string>{tree.at()}, more) {}

Instance::~Instance() = default;

Listing Instance::list() {
  Listing listing;
  DocumentSink sink;
  sink.listing = &listing;
  listing.status = Operations::list(source_.get(), &sides_->call, &sink);
  return listing;
}

Listing Instance::changes(const std::string &since) {
  Listing listing;
  DocumentSink sink;
  sink.listing = &listing;
  listing.status = Operations::changes(source_.get(), &sides_->call, skh::borrow(since), &sink);
  return listing;
}

ReadBack Instance::read(const std::string &name, const std::string &revision) {
  ReadBack back;
  ByteSink sink;
  sink.bytes = &back.bytes;
  const std::string_view text = name;
  skh_document which{};
  which.size = sizeof which;
  which.skill = skh::borrow(text.substr(0, text.find(':')));
  which.path = skh::borrow(text.substr(text.find(':') + 1));
  which.revision = skh::borrow(revision);
  back.status = Operations::read(source_.get(), &sides_->call, &which, &sink);
  return back;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> Instance::progress() {
  const std::scoped_lock lock(sides_->mutex);
  return sides_->progress;
}

std::string Instance::failure() {
  const std::scoped_lock lock(sides_->mutex);
  return sides_->message;
}

int Instance::warnings(const std::string &holding) {
  const std::scoped_lock lock(sides_->mutex);
  return static_cast<int>(
      std::count_if(sides_->log.begin(), sides_->log.end(), [&](const std::string &line) {
        return line.find(holding) != std::string::npos;
      }));
}

int Instance::hints() {
  const std::scoped_lock lock(sides_->mutex);
  return sides_->hints;
}

bool Instance::awaitChange(const std::string &since,
                           const std::function<bool(const Listing &)> &enough, int heard) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(100);
  for (;; ++heard) {
    {
      std::unique_lock lock(sides_->mutex);
      if (!sides_->hinted.wait_until(lock, limit, [&] { return sides_->hints > heard; })) {
        return false;
      }
      heard = sides_->hints - 1;
    }
    if (enough(changes(since))) return true;
  }
}

} // namespace skillhost::filesystem::test
