// SPDX-License-Identifier: Apache-2.0
#include "reply_reader.hpp"

#include <new>

#include <hiredis/hiredis.h>
#include <hiredis/read.h>

namespace skillhost::valkey {

// Nothing may be thrown through hiredis. It takes null as "no memory" and stops reading.
struct ReplyReader::Making {
#if HIREDIS_MAJOR >= 1
  using Count = std::size_t;
#else
  using Count = int;
#endif

  // Returns the place for the value that the task reads. In a list, that place is already
  // allocated.
  static Reply *placeOf(const redisReadTask *task) noexcept {
    auto &reader = *static_cast<ReplyReader *>(task->privdata);
    if (task->parent == nullptr) return new (std::nothrow) Reply;
    auto &list = static_cast<Reply *>(task->parent->obj)->elements;
    const auto index = static_cast<std::size_t>(task->idx);
    if (index >= list.size()) {
      reader.isOver_ = true;
      return nullptr;
    }
    return &list[index];
  }

  static Reply::Kind kindOf(int type) noexcept {
    switch (type) {
    case REDIS_REPLY_ERROR:
      return Reply::Kind::Error;
    case REDIS_REPLY_STATUS:
      return Reply::Kind::Status;
    default:
      return Reply::Kind::Text;
    }
  }

  static void *text(const redisReadTask *task, char *bytes, std::size_t size) noexcept {
    auto &reader = *static_cast<ReplyReader *>(task->privdata);
    reader.bytes_ += size;
    if (reader.bytes_ > maxBytes) {
      reader.isOver_ = true;
      return nullptr;
    }
    Reply *const place = placeOf(task);
    if (place == nullptr) return nullptr;
    try {
      place->text.assign(bytes, size);
    } catch (...) {
      if (task->parent == nullptr) delete place;
      return nullptr;
    }
    place->kind = kindOf(task->type);
    return place;
  }

  static void *list(const redisReadTask *task, Count count) noexcept {
    auto &reader = *static_cast<ReplyReader *>(task->privdata);
    const auto size = static_cast<std::size_t>(count);
    if (size > maxValues - reader.values_) {
      reader.isOver_ = true;
      return nullptr;
    }
    reader.values_ += size;
    Reply *const place = placeOf(task);
    if (place == nullptr) return nullptr;
    try {
      place->elements.resize(size);
    } catch (...) {
      if (task->parent == nullptr) delete place;
      return nullptr;
    }
    place->kind = Reply::Kind::List;
    return place;
  }

  static void *integer(const redisReadTask *task, long long value) noexcept {
    Reply *const place = placeOf(task);
    if (place == nullptr) return nullptr;
    place->kind = Reply::Kind::Integer;
    place->integer = value;
    return place;
  }

  static void *nil(const redisReadTask *task) noexcept { return placeOf(task); }

#if HIREDIS_MAJOR >= 1
  // Handlers for RESP3, which we do not request. Without them hiredis would return its type numbers
  // as pointers.
  static void *number(const redisReadTask *task, double, char *bytes, std::size_t size) noexcept {
    return text(task, bytes, size);
  }
  static void *boolean(const redisReadTask *task, int value) noexcept {
    return integer(task, value);
  }
#endif

  // hiredis only frees the outermost reply, which owns its elements.
  static void release(void *reply) noexcept { delete static_cast<Reply *>(reply); }

  static redisReplyObjectFunctions *functions() noexcept {
    static redisReplyObjectFunctions all = [] {
      redisReplyObjectFunctions made{};
      made.createString = &text;
      made.createArray = &list;
      made.createInteger = &integer;
      made.createNil = &nil;
      made.freeObject = &release;
#if HIREDIS_MAJOR >= 1
      made.createDouble = &number;
      made.createBool = &boolean;
#endif
      return made;
    }();
    return &all;
  }
};

void ReplyReader::Free::operator()(redisReader *reader) const noexcept { redisReaderFree(reader); }

ReplyReader::ReplyReader() : reader_(redisReaderCreateWithFunctions(Making::functions())) {
  if (reader_ == nullptr) throw std::bad_alloc();
  reader_->privdata = this;
}

ReplyReader::~ReplyReader() = default;

void ReplyReader::feed(std::string_view bytes) {
  if (reader_->len - reader_->pos + bytes.size() > maxBytes)
    throw BadReply("a reply of more than " + std::to_string(maxBytes) + " bytes", true);
  if (redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) != REDIS_OK)
    throw BadReply(static_cast<const char *>(reader_->errstr), false);
  if (bytes.empty()) return;
  mayGoOn_ =
      mayGoOn_ || (last_ == '\r' && bytes.front() == '\n') || bytes.find("\r\n") != bytes.npos;
  last_ = bytes.back();
}

std::optional<Reply> ReplyReader::next() {
  if (!mayGoOn_) return std::nullopt;
  void *made = nullptr;
  if (redisReaderGetReply(reader_.get(), &made) != REDIS_OK) {
    if (isOver_) throw BadReply("a reply of more values or bytes than are read", true);
    throw BadReply(static_cast<const char *>(reader_->errstr), false);
  }
  if (made == nullptr) {
    mayGoOn_ = reader_->len == reader_->pos; // the next reply's type is in its first byte
    return std::nullopt;
  }
  const std::unique_ptr<Reply> reply(static_cast<Reply *>(made));
  values_ = bytes_ = 0;
  return std::move(*reply);
}

} // namespace skillhost::valkey
