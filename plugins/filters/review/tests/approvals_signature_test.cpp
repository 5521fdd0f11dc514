// SPDX-License-Identifier: Apache-2.0
// Tests signatures of a file of approvals, and that writers never leave a file without a valid one.
#include "catch2.hpp"
#include "ground/base64.hpp"
#include "review/approvals.hpp"
#include "signing_keys.hpp"
#include "temporary_folder.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

using namespace skillhost;

namespace {

struct SignedDesk {
  TemporaryFolder folder;
  std::string file = folder.path() + "/approvals.json";
  std::string signatures = signatureFileOf(file);
  SigningKey ours = *SigningKey::fromPem(keys_of_rfc_8032::firstSecret);
  SigningKey theirs = *SigningKey::fromPem(keys_of_rfc_8032::secondSecret);
  ApprovalsKeys keys = keysOf(keys_of_rfc_8032::firstPublic);

  ApprovalsKeys keysOf(const std::string &pem) const {
    write(folder.path() + "/key.pub", pem);
    Result<ApprovalsKeys> read = ApprovalsKeys::read({folder.path() + "/key.pub"});
    REQUIRE(read);
    return *read;
  }
  static void write(const std::string &path, const std::string &text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::string text(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  Result<Approvals> reject(const std::string &skill, const SigningKey *key) const {
    return changeApprovals(file,
                           [&](Approvals &approvals) -> Status {
                             Decision decision;
                             decision.who = "ada";
                             approvals.skills[skill] = decision;
                             return Done{};
                           },
                           {keys, key});
  }
  std::string whyNotRead() const {
    const Result<Approvals> read = Approvals::read(file, keys);
    return read ? "it was read" : read.failure().message;
  }
};

} // namespace

TEST_CASE("a file counts with a signature of a trusted key alone") {
  const SignedDesk desk;
  REQUIRE(desk.reject("hub/a", &desk.ours));
  CHECK(Approvals::read(desk.file, desk.keys)->skills.size() == 1);
  // OpenSSL's command line would make the same: one line of base64.
  CHECK(desk.text(desk.signatures) == encodeBase64(desk.ours.sign(desk.text(desk.file))) + '\n');
  const std::string good = desk.text(desk.file), vouched = desk.text(desk.signatures);

  desk.write(desk.file, good + ' ');
  CHECK(desk.whyNotRead().find("none of the signatures in " + desk.signatures) !=
        std::string::npos);
  CHECK(Approvals::read(desk.file, desk.keys).failure().fault == Fault::Corrupt);
  desk.write(desk.file, good);
  CHECK(Approvals::read(desk.file, desk.keys));
  for (const std::string &wrong :
       {std::string("x\n"), vouched.substr(1), encodeBase64(desk.theirs.sign(good)) + '\n',
        encodeBase64(desk.ours.sign("")) + '\n', std::string(5'000, 'A'), std::string()}) {
    INFO(wrong.substr(0, 100));
    desk.write(desk.signatures, wrong);
    CHECK_FALSE(Approvals::read(desk.file, desk.keys));
  }
  std::filesystem::remove(desk.signatures);
  CHECK(desk.whyNotRead().find(".sig is missing") != std::string::npos);
  CHECK(Approvals::read(desk.file)); // without keys, no signature is needed
  // One of several is enough, and line ends at the end do no harm.
  desk.write(desk.signatures, encodeBase64(desk.theirs.sign(good)) + '\n' + vouched + "\n");
  CHECK(Approvals::read(desk.file, desk.keys));
}

TEST_CASE("nobody signs what somebody else has put there, unless by a word of its own") {
  const SignedDesk desk;
  REQUIRE(desk.reject("hub/a", &desk.ours));
  Approvals more = *Approvals::read(desk.file, desk.keys);
  more.skills["hub/b"] = more.skills["hub/a"];
  const std::string foreign = more.text();
  desk.write(desk.file, foreign);
  const Result<Approvals> refused = desk.reject("hub/c", &desk.ours);
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().fault == Fault::Corrupt);
  CHECK(desk.text(desk.file) == foreign);
  const Result<Approvals> now = signApprovals(desk.file, desk.ours);
  REQUIRE(now);
  CHECK(now->skills.size() == 2);
  CHECK(desk.reject("hub/c", &desk.ours));
  CHECK(Approvals::read(desk.file, desk.keys)->skills.size() == 3);
  // A file that cannot be read is not signed.
  desk.write(desk.file, "{");
  CHECK_FALSE(signApprovals(desk.file, desk.ours));
  CHECK_FALSE(Approvals::read(desk.file, desk.keys));
}

TEST_CASE("while several sign, whoever reads finds a file and its signature") {
  const SignedDesk desk;
  REQUIRE(desk.reject("hub/first", &desk.ours));
  std::atomic<int> writing{3};
  std::vector<std::string> wrong;
  std::vector<std::thread> writers;
  std::array<std::string, 3> failed;
  for (std::size_t writer = 0; writer < failed.size(); ++writer)
    writers.emplace_back([&, writer] {
      for (int i = 0; i < 20; ++i)
        if (const auto done =
                desk.reject("hub/" + std::to_string(writer) + '-' + std::to_string(i), &desk.ours);
            !done)
          failed[writer] = done.failure().message;
      --writing;
    });
  int readings = 0;
  do {
    if (const auto read = Approvals::read(desk.file, desk.keys); !read)
      wrong.push_back(read.failure().message);
    ++readings;
  } while (writing != 0);
  for (std::thread &writer : writers) writer.join();
  INFO(readings);
  CHECK(wrong == std::vector<std::string>{});
  CHECK(failed == std::array<std::string, 3>{});
  CHECK(Approvals::read(desk.file, desk.keys)->skills.size() == 61);
}

TEST_CASE("keys are told apart from what is none") {
  const SignedDesk desk;
  const std::string file = desk.folder.path() + "/a.key";
  const auto why = [&](const std::string &text) {
    desk.write(file, text);
    const Result<ApprovalsKeys> read = ApprovalsKeys::read({file});
    return read ? "it was read" : read.failure().message;
  };
  CHECK(why(keys_of_rfc_8032::firstPublic) == "it was read");
  CHECK(why(keys_of_rfc_8032::firstSecret).find("is no public Ed25519 key") != std::string::npos);
  CHECK(why("").find(file) == 0);
  const std::string onP256 = "-----BEGIN PUBLIC KEY-----\n"
                             "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAExtA+LWCI1ZNKEOl9Z1afV0QiYHAf\n"
                             "UzYBXQv/JF5OtMXacgp6ewxezz/oDhUVzdXc6iN08Uob6QSzYX33uD1eOg==\n"
                             "-----END PUBLIC KEY-----\n";
  CHECK(why(onP256).find("Ed25519") != std::string::npos);
  CHECK_FALSE(ApprovalsKeys::read({desk.folder.path() + "/none"}));
  CHECK(desk.keys.has(desk.ours.publicKey()));
  CHECK_FALSE(desk.keys.has(desk.theirs.publicKey()));

  desk.write(file, keys_of_rfc_8032::firstSecret);
  REQUIRE(::chmod(file.c_str(), 0644) == 0);
  CHECK(readSigningKey(file).failure().message.find("chmod 600") != std::string::npos);
  REQUIRE(::chmod(file.c_str(), 0600) == 0);
  CHECK(readSigningKey(file));
  desk.write(file, keys_of_rfc_8032::firstPublic);
  for (const mode_t mode : {0600U, 0644U}) {
    REQUIRE(::chmod(file.c_str(), mode) == 0);
    CHECK(readSigningKey(file).failure().message ==
          file + ": is a public key: name the file of " + "its secret key, without .pub");
  }
  REQUIRE(::chmod(file.c_str(), 0600) == 0);
  desk.write(file, "no key");
  CHECK(readSigningKey(file).failure().message.find("secret Ed25519 key") != std::string::npos);
  CHECK(readSigningKey(desk.folder.path() + "/none").failure().fault == Fault::NotFound);
}
