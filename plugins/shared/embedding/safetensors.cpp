// SPDX-License-Identifier: Apache-2.0
#include "safetensors.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <skillhost/plugin.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

namespace skillhost::embedding {
namespace {

// all-MiniLM-L6-v2 has 11 kB for 103 tensors; the largest models of this kind have 400 tensors.
constexpr std::uint64_t maxHeaderBytes = std::uint64_t{1} << 20U;
constexpr std::size_t maxDimensions = 8;
constexpr std::size_t headerDepth = 8;

// Returns the bytes of a number; 0: the type is not known. Types that are never read are known so
// that their places can be checked.
std::size_t bytesOf(std::string_view type) {
  if (type == "F64" || type == "I64" || type == "U64") return 8;
  if (type == "F32" || type == "I32" || type == "U32") return 4;
  if (type == "F16" || type == "BF16" || type == "I16" || type == "U16") return 2;
  return type == "I8" || type == "U8" || type == "BOOL" ? 1 : 0;
}

float fromBits(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Converts IEEE 754's binary16.
float fromHalf(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t exponent = (half >> 10U) & 0x1fU;
  const std::uint32_t mantissa = half & 0x3ffU;
  if (exponent == 0x1fU) return fromBits(sign | 0x7f800000U | (mantissa << 13U));
  if (exponent != 0) return fromBits(sign | ((exponent + 112U) << 23U) | (mantissa << 13U));
  const float small = std::ldexp(static_cast<float>(mantissa), -24);
  return sign != 0 ? -small : small;
}

bool readAt(int file, void *to, std::size_t bytes, std::uint64_t at) {
  auto *next = static_cast<char *>(to);
  while (bytes > 0) {
    const ssize_t got = ::pread(file, next, bytes, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    at += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

std::string shown(const std::vector<std::uint64_t> &shape) {
  std::string text;
  for (const std::uint64_t each : shape) text += (text.empty() ? "" : " × ") + std::to_string(each);
  return text.empty() ? "a single number" : text;
}

// Returns how many numbers a row has.
std::uint64_t widthOf(const std::vector<std::uint64_t> &shape) {
  std::uint64_t width = 1;
  for (std::size_t each = 1; each < shape.size(); ++each) width *= shape[each];
  return width;
}

} // namespace

Safetensors::Safetensors(const std::string &path)
    : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (file_ < 0) refuse(std::generic_category().message(errno));
  try {
    readHeader();
  } catch (...) {
    ::close(file_);
    throw;
  }
}

Safetensors::~Safetensors() { ::close(file_); }

void Safetensors::refuse(const std::string &why) const {
  throw skh::Error(SKH_INVALID, path_ + ": " + why);
}

void Safetensors::readHeader() {
  struct stat info{};
  if (::fstat(file_, &info) != 0 || !S_ISREG(info.st_mode)) refuse("not a regular file");
  const auto fileBytes = static_cast<std::uint64_t>(info.st_size);
  std::uint64_t headerBytes = 0; // little endian, like all supported machines
  if (!readAt(file_, &headerBytes, sizeof headerBytes, 0))
    refuse("cut off in the length of its header");
  if (headerBytes > maxHeaderBytes)
    refuse("its header has " + std::to_string(headerBytes) + " bytes; at most " +
           std::to_string(maxHeaderBytes) + " are read");
  const std::uint64_t dataBegin = sizeof headerBytes + headerBytes;
  if (dataBegin > fileBytes) refuse("cut off in its header");
  std::string text(static_cast<std::size_t>(headerBytes), '\0');
  if (!readAt(file_, text.data(), text.size(), sizeof headerBytes)) refuse("cut off in its header");
  const std::optional<Json> header = readJsonObject(text, headerDepth);
  if (!header) refuse("its header is no JSON object");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places; // begin and end of each tensor
  for (const auto &[name, entry] : header->items()) {
    if (name == "__metadata__") continue;
    const auto wrong = [&](const std::string &why) { refuse("tensor " + name + ": " + why); };
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string())
      wrong("has no dtype");
    const auto type = entry["dtype"].get<std::string>();
    std::uint64_t bytes = bytesOf(type);
    if (bytes == 0) wrong("its dtype is not known: " + type);
    if (!entry.contains("shape") || !entry["shape"].is_array() ||
        entry["shape"].size() > maxDimensions)
      wrong("has no shape");
    Tensor tensor;
    if (type == "F32") tensor.type = Tensor::Type::F32;
    if (type == "F16") tensor.type = Tensor::Type::F16;
    if (type == "BF16") tensor.type = Tensor::Type::BF16;
    if (type == "I8") tensor.type = Tensor::Type::Whole;
    for (const auto &each : entry["shape"]) {
      if (!each.is_number_unsigned()) wrong("its shape is not of whole numbers");
      tensor.shape.push_back(each.get<std::uint64_t>());
      if (__builtin_mul_overflow(bytes, tensor.shape.back(), &bytes))
        wrong("its shape is too large");
    }
    const auto offsets = entry.find("data_offsets");
    if (offsets == entry.end() || !offsets->is_array() || offsets->size() != 2 ||
        !(*offsets)[0].is_number_unsigned() || !(*offsets)[1].is_number_unsigned())
      wrong("has no data_offsets");
    const auto begin = (*offsets)[0].get<std::uint64_t>();
    const auto end = (*offsets)[1].get<std::uint64_t>();
    if (begin > end || end - begin != bytes) wrong("its data_offsets do not fit its shape");
    if (end > fileBytes - dataBegin) wrong("ends behind the end of the file, which is cut off");
    if (begin < end) places.emplace_back(begin, end);
    tensor.begin = dataBegin + begin;
    tensors_.emplace(name, std::move(tensor));
  }
  // The format forbids tensors that overlap. So the size of the file limits the memory they need.
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i].first < places[i - 1].second) refuse("its tensors overlap");
}

bool Safetensors::has(std::string_view name) const { return tensors_.find(name) != tensors_.end(); }

const Safetensors::Tensor &Safetensors::find(std::string_view name,
                                             const std::vector<std::uint64_t> &shape) const {
  const auto found = tensors_.find(name);
  const std::string called = "tensor " + std::string(name);
  if (found == tensors_.end()) refuse("has no " + called);
  if (found->second.shape != shape)
    refuse(called + " is " + shown(found->second.shape) + "; " + shown(shape) + " is expected");
  return found->second;
}

void Safetensors::readBytes(std::string_view name, std::uint64_t begin, std::size_t bytes,
                            void *to) const {
  if (!readAt(file_, to, bytes, begin)) refuse("tensor " + std::string(name) + " is cut off");
}

void Safetensors::read(std::string_view name, const std::vector<std::uint64_t> &shape,
                       std::uint64_t firstRow, std::uint64_t rows, float *to) const {
  const Tensor &tensor = find(name, shape);
  const std::string called = "tensor " + std::string(name);
  if (tensor.type == Tensor::Type::Other || tensor.type == Tensor::Type::Whole)
    refuse(called + " is not of floats (F32, F16, BF16)");
  const std::uint64_t width = widthOf(shape);
  const auto count = static_cast<std::size_t>(rows * width);
  if (tensor.type == Tensor::Type::F32) {
    readBytes(name, tensor.begin + firstRow * width * sizeof(float), count * sizeof(float), to);
  } else {
    std::vector<std::uint16_t> halves(count);
    readBytes(name, tensor.begin + firstRow * width * sizeof(std::uint16_t),
              count * sizeof(std::uint16_t), halves.data());
    for (std::size_t each = 0; each < count; ++each)
      to[each] = tensor.type == Tensor::Type::BF16
                     ? fromBits(static_cast<std::uint32_t>(halves[each]) << 16U)
                     : fromHalf(halves[each]);
  }
  for (std::size_t each = 0; each < count; ++each)
    if (!std::isfinite(to[each])) refuse(called + " has a number that is not finite");
}

bool Safetensors::isWhole(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found != tensors_.end() && found->second.type == Tensor::Type::Whole;
}

void Safetensors::readWhole(std::string_view name, const std::vector<std::uint64_t> &shape,
                            std::uint64_t firstRow, std::uint64_t rows, std::int8_t *to) const {
  const Tensor &tensor = find(name, shape);
  if (tensor.type != Tensor::Type::Whole)
    refuse("tensor " + std::string(name) + " is not of the type I8");
  const std::uint64_t width = widthOf(shape);
  readBytes(name, tensor.begin + firstRow * width, static_cast<std::size_t>(rows * width), to);
}

std::map<std::string, std::vector<std::uint64_t>, std::less<>> Safetensors::floats() const {
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> shapes;
  for (const auto &[name, tensor] : tensors_)
    if (tensor.type != Tensor::Type::Other && tensor.type != Tensor::Type::Whole)
      shapes.emplace(name, tensor.shape);
  return shapes;
}

std::vector<float> Safetensors::read(std::string_view name,
                                     const std::vector<std::uint64_t> &shape) const {
  // Compares the shape with the file before it allocates memory for it.
  const auto found = tensors_.find(name);
  std::size_t count = 0;
  if (found != tensors_.end() && found->second.shape == shape) {
    count = 1;
    for (const std::uint64_t each : shape) count *= static_cast<std::size_t>(each);
  }
  std::vector<float> all(count);
  read(name, shape, 0, shape.empty() ? 1 : shape.front(), all.data());
  return all;
}

} // namespace skillhost::embedding
