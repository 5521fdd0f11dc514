// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "embedding/safetensors.hpp"
#include "small_model.hpp"
#include "temporary_folder.hpp"

#include <skillhost/plugin.hpp>

using skillhost::embedding::Safetensors;

namespace {

std::string headerRefusal(const std::string &bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/w";
  std::ofstream(path, std::ios::binary) << bytes;
  try {
    const Safetensors file(path);
  } catch (const skh::Error &error) {
    return std::string(error.what()).substr(path.size() + 2);
  }
  return "taken";
}

std::string withHeader(const std::string &header, std::size_t dataBytes = 8) {
  return SmallModel::withLength(header) + std::string(dataBytes, '\0');
}

} // namespace

TEST_CASE("headers of weights are checked before anything is read") {
  CHECK(headerRefusal("") == "cut off in the length of its header");
  CHECK(headerRefusal(std::string(8, '\xff')) ==
        "its header has 18446744073709551615 bytes; at most 1048576 are read");
  CHECK(headerRefusal(SmallModel::withLength("{}").substr(0, 9)) == "cut off in its header");
  CHECK(headerRefusal(withHeader("[]")) == "its header is no JSON object");
  CHECK(headerRefusal(withHeader(R"({"a":{},"a":{}})")) == "its header is no JSON object");
  CHECK(headerRefusal(withHeader(R"({"a":{"shape":[2],"data_offsets":[0,8]}})")) ==
        "tensor a: has no dtype");
  CHECK(headerRefusal(withHeader(R"({"a":{"dtype":"Q4","shape":[2],"data_offsets":[0,8]}})")) ==
        "tensor a: its dtype is not known: Q4");
  CHECK(headerRefusal(withHeader(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})")) ==
        "tensor a: its shape is not of whole numbers");
  CHECK(headerRefusal(withHeader(
            R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})")) ==
        "tensor a: its shape is too large");
  CHECK(headerRefusal(withHeader(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})")) ==
        "tensor a: its data_offsets do not fit its shape");
  CHECK(headerRefusal(withHeader(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}})")) ==
        "tensor a: ends behind the end of the file, which is cut off");
  CHECK(
      headerRefusal(withHeader(
          R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})")) ==
      "taken");
}

TEST_CASE("tensors that share bytes are refused") {
  CHECK(
      headerRefusal(withHeader(
          R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"I8","shape":[1],"data_offsets":[7,8]}})")) ==
      "its tensors overlap");
  CHECK(
      headerRefusal(withHeader(
          R"({"a":{"dtype":"I8","shape":[4],"data_offsets":[4,8]},"b":{"dtype":"I8","shape":[4],"data_offsets":[0,4]},)"
          R"("none":{"dtype":"I8","shape":[0],"data_offsets":[2,2]}})")) == "taken");
}

TEST_CASE("weights of 16 bits are read as they are meant") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/w";
  const std::vector<std::uint16_t> halves{0x3c00, 0xc000, 0x0001, 0x7bff, 0x8000}; // F16
  const std::vector<std::uint16_t> brains{0x3f80, 0xc000, 0x0080, 0x7f7f, 0x8000}; // BF16
  std::string data;
  for (const auto *all : {&halves, &brains})
    data.append(reinterpret_cast<const char *>(all->data()), 10);
  std::ofstream(path, std::ios::binary)
      << SmallModel::withLength(
             R"({"f":{"dtype":"F16","shape":[5],"data_offsets":[0,10]},"b":{"dtype":"BF16","shape":[5],"data_offsets":[10,20]},)"
             R"("i":{"dtype":"I8","shape":[5],"data_offsets":[20,25]}})")
      << data << "wwwww";
  const Safetensors file(path);
  CHECK(file.read("f", {5}) == std::vector<float>{1, -2, 5.9604645e-8F, 65504, -0.0F});
  CHECK(file.read("b", {5}) == std::vector<float>{1, -2, 1.17549435e-38F, 3.3895314e38F, -0.0F});
  CHECK_THROWS_WITH(file.read("i", {5}),
                    Catch::EndsWith("tensor i is not of floats (F32, F16, BF16)"));
}

TEST_CASE("weights cut off at any byte are refused, or were not needed") {
  const std::string whole = withHeader(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})");
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK(headerRefusal(whole.substr(0, length)) != "taken");
  CHECK(headerRefusal(whole) == "taken");
}
