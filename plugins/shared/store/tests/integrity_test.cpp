// SPDX-License-Identifier: Apache-2.0
// Every change of a stored skill must be detected, and none of its content may be returned.
#include "catch2.hpp"

#include "fixture.hpp"
#include "ground/hexadecimal.hpp"
#include "store/checksum.hpp"
#include "store/keys.hpp"
#include "store/listing.hpp"

#include <cstring>

using namespace skillhost::store;
using namespace store_test;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

struct SigningKeys {
  explicit SigningKeys(const TemporaryFolder &folder, const std::string &name) {
    const SignatureKeyTexts texts = newSignatureKey();
    writePrivateFile(folder.at(name), texts.secret);
    writeBytes(folder.at(name + ".pub"), texts.open);
    secret = readSecretKey(folder.at(name));
    open = readPublicKey(folder.at(name + ".pub"));
  }
  SignatureKey secret, open;
};

Trust require(const SignatureKey &key) { return {{}, SignaturePolicy::Require, {key}}; }

// Flips each bit of each file of the skill "pdf", version 1. Returns how many flips load()
// accepted.
std::size_t unnoticedFlips(const Store &store, std::size_t &flips) {
  std::size_t unnoticed = 0;
  for (const fs::directory_entry &file : fs::directory_iterator(store.root() + "/pdf/1")) {
    const std::string path = file.path().string();
    const std::string good = bytesOf(path);
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit, ++flips) {
      std::string bad = good;
      bad[bit / 8] = static_cast<char>(static_cast<unsigned char>(bad[bit / 8]) ^ (1U << bit % 8));
      writeBytes(path, bad);
      const Refusal refused = refusalOf([&] { (void)store.load("pdf"); });
      if (!refused.thrown || refused.problem != Problem::Corrupt) ++unnoticed;
    }
    writeBytes(path, good);
  }
  return unnoticed;
}

// Makes the checksum match the files, as an attacker without the key can.
void rewriteChecksum(const std::string &version) {
  skillhost::Blake3 hash;
  for (const char *name : {"metadata.json", "vfs.json", "module.wasm"})
    hash.add(bytesOf(version + "/" + name));
  writeBytes(version + "/checksum.blake3", skillhost::hexadecimal(hash.finish()) + "\n");
}

void replaceIn(const std::string &path, const std::string &from, const std::string &to) {
  std::string text = bytesOf(path);
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  writeBytes(path, text.replace(at, from.size(), to));
}

} // namespace

TEST_CASE("every single bit that is turned in any file is found") {
  const TemporaryFolder folder;
  const SigningKeys keys(folder, "signing");
  Trust trust = require(keys.open);
  if (GENERATE(false, true)) trust.key = keyed(7).key;
  const Store store(folder.at("skills"), trust);
  Content content = smallSkill();
  content.module = "module";
  SaveOptions options;
  options.compression = GENERATE(Compression::None, Compression::Zstd);
  options.origin = "a test";
  store.save("pdf", content, options);
  store.sign("pdf", keys.secret);
  REQUIRE(store.load("pdf").signature.how == Signed::ByTrusted);
  std::size_t flips = 0;
  CHECK(unnoticedFlips(store, flips) == 0);
  CHECK(flips > 5'000);
  CHECK(store.load("pdf").metadata.version == 1);
}

TEST_CASE("a file that is cut, longer, gone, or another kind of thing is found") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  Content content = smallSkill();
  content.module = "module";
  store.save("pdf", content);
  for (const std::string name : {"metadata.json", "vfs.json", "module.wasm", "checksum.blake3"}) {
    CAPTURE(name);
    const std::string path = folder.at("skills/pdf/1/" + name);
    const std::string good = bytesOf(path);
    const auto refusal = [&] { return refusalOf([&] { (void)store.load("pdf"); }); };
    for (const std::string &bad :
         {good + " ", good.substr(1), good.substr(0, good.size() - 1), std::string()}) {
      writeBytes(path, bad);
      CHECK(refusal().problem == Problem::Corrupt);
    }
    fs::remove(path);
    CHECK(refusal().problem == Problem::Corrupt);
    fs::create_directory(path);
    CHECK(refusal().problem == Problem::Corrupt);
    fs::remove(path);
    fs::create_symlink(folder.at("elsewhere"), path);
    writeBytes(folder.at("elsewhere"), good);
    // The bytes are correct but are reached through a link.
    CHECK(refusal().problem == Problem::Corrupt);
    fs::remove(path);
    writeBytes(path, good);
    CHECK_FALSE(refusal().thrown);
  }
}

TEST_CASE("with a key, a rewritten checksum is found; without one it is not") {
  const TemporaryFolder folder;
  const Store open(folder.at("open")), closed(folder.at("closed"), keyed(7));
  for (const Store *store : {&open, &closed}) {
    Content content = smallSkill("Be kind.");
    content.module = "module";
    store->save("pdf", content);
    replaceIn(store->root() + "/pdf/1/vfs.json", "Be kind.", "Be evil.");
    CHECK(refusalOf([&] { (void)store->load("pdf"); }).problem == Problem::Corrupt);
    rewriteChecksum(store->root() + "/pdf/1");
  }
  CHECK_FALSE(refusalOf([&] { (void)open.load("pdf"); }).thrown);
  CHECK(refusalOf([&] { (void)closed.load("pdf"); }).problem == Problem::Corrupt);
}

TEST_CASE("the wrong key, none, and one too many are refused with advice") {
  const TemporaryFolder folder;
  const Store bare(folder.at("skills")), seven(folder.at("skills"), keyed(7)),
      eight(folder.at("skills"), keyed(8));
  seven.save("pdf", smallSkill());
  CHECK(refusalOf([&] { (void)eight.load("pdf"); }).problem == Problem::Corrupt);
  CHECK_THAT(refusalOf([&] { (void)bare.load("pdf"); }).message, Contains("name the key file"));
  bare.save("csv", smallSkill());
  CHECK_THAT(refusalOf([&] { (void)seven.load("csv"); }).message,
             Contains("save the skill again with the key"));
}

TEST_CASE("a folder that took another's name is found") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"), keyed(7));
  SaveOptions options;
  options.keep = 2;
  store.save("pdf", smallSkill("one"), options);
  store.save("pdf", smallSkill("two"), options);
  fs::copy(folder.at("skills/pdf/1"), folder.at("skills/pdf/3"), fs::copy_options::recursive);
  CHECK_THAT(refusalOf([&] { (void)store.load("pdf"); }).message,
             Contains("it was saved as pdf, version 1"));
  fs::rename(folder.at("skills/pdf"), folder.at("skills/csv"));
  CHECK_THAT(refusalOf([&] { (void)store.load("csv", 2); }).message,
             Contains("it was saved as pdf, version 2"));
}

TEST_CASE("a checksum that fits does not make bad files good") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  Content content = smallSkill();
  content.module = "module";
  store.save("pdf", content);
  const std::string version = folder.at("skills/pdf/1");
  const auto refusal = [&](const std::string &file, const std::string &from,
                           const std::string &to) {
    const std::string good = bytesOf(version + "/" + file);
    replaceIn(version + "/" + file, from, to);
    rewriteChecksum(version);
    const Refusal refused = refusalOf([&] { (void)store.load("pdf"); });
    writeBytes(version + "/" + file, good);
    return refused.message;
  };
  CHECK_THAT(refusal("vfs.json", "scripts/run.sh", "../ipts/run.sh"), Contains("not safe"));
  CHECK_THAT(refusal("vfs.json", "scripts/run.sh", "a/ripts/run.sh"), Contains("out of order"));
  CHECK_THAT(refusal("vfs.json", "/wCAAQ==", "/wCAAR=="), Contains("base64"));
  CHECK_THAT(refusal("vfs.json", R"(\u0001)", R"(\u0041)"), Contains("not spelt"));
  CHECK_THAT(refusal("vfs.json", R"("version":1)", R"("version":2)"), Contains("form"));
  CHECK_THAT(refusal("metadata.json", R"("files": 4)", R"("files": 5)"), Contains("counts"));
  CHECK_THAT(refusal("metadata.json", R"("bytes": )", R"("bytes":  )"), Contains("spelt"));
  CHECK_THAT(refusal("metadata.json", R"("format": 1)", R"("format": 2)"), Contains("newer"));
  CHECK_THAT(refusal("metadata.json", R"("name": "pdf")", R"("name": "abc")"),
             Contains("saved as abc"));
}

TEST_CASE("what is expanded is as large as was said, or nothing is") {
  const TemporaryFolder folder;
  const Store store(folder.at("skills"));
  SaveOptions options;
  options.compression = Compression::Zstd;
  store.save("pdf", smallSkill(std::string(100'000, 'x')), options);
  const std::string version = folder.at("skills/pdf/1");
  REQUIRE(fs::file_size(version + "/vfs.json") < 1'000);
  const std::string metadata = bytesOf(version + "/metadata.json");
  const std::size_t at = metadata.find("\"expanded\": ") + 12;
  const std::string size = metadata.substr(at, metadata.find_first_of("\n", at) - at);
  for (const std::string &said :
       {std::string("10"), std::string("20000000"), "1" + size, std::string("99999999999")}) {
    writeBytes(version + "/metadata.json", metadata);
    replaceIn(version + "/metadata.json", "\"expanded\": " + size, "\"expanded\": " + said);
    rewriteChecksum(version);
    CHECK(refusalOf([&] { (void)store.load("pdf"); }).problem == Problem::Corrupt);
  }
}

TEST_CASE("signatures: who vouches, and what follows for each policy") {
  const TemporaryFolder folder;
  const SigningKeys ada(folder, "ada"), eve(folder, "eve");
  const Store store(folder.at("skills"));
  const Store strict(folder.at("skills"), require(ada.open));
  const Store lenient(folder.at("skills"), {{}, SignaturePolicy::Verify, {ada.open}});
  store.save("pdf", smallSkill());
  CHECK_THAT(refusalOf([&] { (void)strict.load("pdf"); }).message, Contains("no signature"));
  CHECK(lenient.load("pdf").signature.how == Signed::No);
  store.sign("pdf", eve.secret);
  CHECK_THAT(refusalOf([&] { (void)strict.load("pdf"); }).message, Contains("none of the trusted"));
  CHECK(lenient.load("pdf").signature.how == Signed::ByStranger);
  store.sign("pdf", ada.secret);
  store.sign("pdf", ada.secret); // again, but there is one line per key
  CHECK(strict.load("pdf").signature.how == Signed::ByTrusted);
  CHECK(strict.load("pdf").signature.key == ada.open.id);
  CHECK(store.load("pdf").signature.how == Signed::NotAsked);
  CHECK(store.signatures("pdf").size() ==
        std::strlen("skillhost signatures of version 1\n") + 2 * 106);
  // Signatures apply to a version and its content. Another version needs new ones, another store
  // does not.
  const std::string signatures = store.signatures("pdf");
  SaveOptions options;
  options.signatures = signatures;
  const Store elsewhere(folder.at("elsewhere"), require(ada.open));
  elsewhere.save("pdf", smallSkill(), options);
  CHECK(elsewhere.load("pdf").signature.how == Signed::ByTrusted);
  elsewhere.save("csv", smallSkill(), options);
  CHECK_THAT(refusalOf([&] { (void)elsewhere.load("csv"); }).message, Contains("wrong"));
  writeBytes(folder.at("skills/pdf/1/signatures"), "nonsense");
  CHECK_THAT(refusalOf([&] { (void)lenient.load("pdf"); }).message, Contains("wrong"));
  store.sign("pdf", ada.secret); // replaces the damaged file
  CHECK(strict.load("pdf").signature.how == Signed::ByTrusted);
  store.save("pdf", smallSkill("changed"));
  CHECK_THAT(refusalOf([&] { (void)strict.load("pdf"); }).message, Contains("no signature"));
}

TEST_CASE("a version that was signed is no other version") {
  const TemporaryFolder folder;
  const SigningKeys ada(folder, "ada");
  const Store store(folder.at("skills")), strict(folder.at("skills"), require(ada.open));
  SaveOptions options;
  options.keep = 5;
  for (const char *body : {"one", "two"}) {
    store.save("pdf", smallSkill(body), options);
    store.sign("pdf", ada.secret);
  }
  REQUIRE(strict.load("pdf").metadata.version == 2);
  // An attacker without the key can give the old version a new number with a matching checksum.
  const std::string copy = folder.at("skills/pdf/3");
  fs::copy(folder.at("skills/pdf/1"), copy);
  replaceIn(copy + "/metadata.json", R"("version": 1)", R"("version": 3)");
  rewriteChecksum(copy);
  REQUIRE(store.load("pdf").metadata.version == 3); // only the signature contradicts it
  CHECK_THAT(refusalOf([&] { (void)strict.load("pdf"); }).message,
             Contains("signed as version 1, and is version 3"));
  const Store lenient(folder.at("skills"), {{}, SignaturePolicy::Verify, {ada.open}});
  CHECK(refusalOf([&] { (void)lenient.load("pdf"); }).problem == Problem::Corrupt);
  replaceIn(copy + "/signatures", "version 1", "version 3");
  CHECK_THAT(refusalOf([&] { (void)strict.load("pdf"); }).message, Contains("wrong"));
  for (const char *number : {"03", "0", "3 ", "-3", "4294967296", ""}) {
    CAPTURE(number);
    const std::string good = bytesOf(copy + "/signatures");
    replaceIn(copy + "/signatures", "version 3", std::string("version ") + number);
    CHECK(refusalOf([&] { (void)lenient.load("pdf"); }).problem == Problem::Corrupt);
    writeBytes(copy + "/signatures", good);
  }
  store.sign("pdf", ada.secret);
  CHECK(strict.load("pdf").signature.how == Signed::ByTrusted);
}

TEST_CASE("what comes with signatures keeps its number, or is refused") {
  const TemporaryFolder folder;
  const SigningKeys ada(folder, "ada"), eve(folder, "eve");
  const Store store(folder.at("skills")), elsewhere(folder.at("elsewhere"), require(ada.open));
  for (const char *body : {"one", "two", "three"}) store.save("pdf", smallSkill(body));
  store.sign("pdf", ada.secret);
  const std::string signatures = store.signatures("pdf");
  CHECK(versionSigned(signatures) == 3);
  SaveOptions options;
  options.signatures = signatures;
  const Store unsure(folder.at("elsewhere"));
  unsure.save("pdf", smallSkill("three"));
  CHECK(elsewhere.save("pdf", smallSkill("three"), options).version == 3);
  CHECK(elsewhere.load("pdf").signature.how == Signed::ByTrusted);
  CHECK_FALSE(elsewhere.save("pdf", smallSkill("three"), options).changed);
  unsure.save("pdf", smallSkill("four"));
  CHECK_THAT(refusalOf([&] { elsewhere.save("pdf", smallSkill("three"), options); }).message,
             Contains("signed as version 3, and the store has had version 4"));
  unsure.remove("pdf");
  CHECK(refusalOf([&] { elsewhere.save("pdf", smallSkill("three"), options); }).problem ==
        Problem::Refused);
  // The archive of a damaged version repairs it.
  const Store mended(folder.at("mended"), require(ada.open));
  mended.save("pdf", smallSkill("three"), options);
  writeBytes(folder.at("mended/pdf/3/vfs.json"), "{}");
  CHECK(mended.save("pdf", smallSkill("three"), options).version == 3);
  CHECK(mended.load("pdf").signature.how == Signed::ByTrusted);
  // The present version gets the signatures in addition to its own.
  const Store third(folder.at("third"));
  for (const char *body : {"a", "b", "three"}) third.save("pdf", smallSkill(body));
  third.sign("pdf", eve.secret);
  CHECK(third.save("pdf", smallSkill("three"), options).changed);
  const Store strict(folder.at("third"), require(ada.open)),
      other(folder.at("third"), require(eve.open));
  CHECK(strict.load("pdf").metadata.version == 3);
  CHECK(other.load("pdf").metadata.version == 3);
}

TEST_CASE("going back needs who may sign, where signatures are required") {
  const TemporaryFolder folder;
  const SigningKeys ada(folder, "ada");
  const Store store(folder.at("skills")), strict(folder.at("skills"), require(ada.open));
  SaveOptions options;
  options.keep = 3;
  for (const char *body : {"one", "two", "three"}) {
    store.save("pdf", smallSkill(body), options);
    store.sign("pdf", ada.secret);
  }
  RollbackOptions signing;
  signing.key = &ada.secret;
  CHECK_FALSE(store.rollback("pdf", signing).losesSignatures);
  CHECK(strict.load("pdf").metadata.version == 4);
  CHECK(store.rollback("pdf").losesSignatures);
  CHECK_THAT(refusalOf([&] { (void)strict.load("pdf"); }).message, Contains("no signature"));
}

TEST_CASE("nobody vouches for what does not verify") {
  const TemporaryFolder folder;
  const SigningKeys ada(folder, "ada");
  const Store store(folder.at("skills"));
  Content content = smallSkill("Be kind.");
  content.module = "module";
  store.save("pdf", content);
  replaceIn(folder.at("skills/pdf/1/vfs.json"), "Be kind.", "Be evil.");
  CHECK(refusalOf([&] { store.sign("pdf", ada.secret); }).problem == Problem::Corrupt);
  rewriteChecksum(folder.at("skills/pdf/1"));
  // The checksum matches, but the digest of the content does not.
  CHECK_THAT(refusalOf([&] { store.sign("pdf", ada.secret); }).message, Contains("its content"));
}

TEST_CASE("a key is used only as long as nobody else may read it") {
  const TemporaryFolder folder;
  writePrivateFile(folder.at("key"), newStoreKey());
  CHECK_FALSE(refusalOf([&] { (void)readStoreKey(folder.at("key")); }).thrown);
  CHECK_THAT(refusalOf([&] { writePrivateFile(folder.at("key"), "x"); }).message,
             Contains("never overwritten"));
  fs::permissions(folder.at("key"), fs::perms::group_read, fs::perm_options::add);
  CHECK_THAT(refusalOf([&] { (void)readStoreKey(folder.at("key")); }).message,
             Contains("chmod 600"));
  writePrivateFile(folder.at("key.pub"), "-----BEGIN PUBLIC KEY-----\n");
  fs::permissions(folder.at("key.pub"), fs::perms::group_read, fs::perm_options::add);
  CHECK_THAT(refusalOf([&] { (void)readPrivateFile(folder.at("key.pub"), 100); }).message,
             Contains("is a public key: name the file of its secret key"));
  writePrivateFile(folder.at("short"), "short");
  CHECK_THAT(refusalOf([&] { (void)readStoreKey(folder.at("short")); }).message,
             Contains("32 bytes"));
  CHECK(refusalOf([&] { (void)readStoreKey(folder.at("none")); }).problem == Problem::Missing);
  CHECK_THAT(refusalOf([&] { (void)readPublicKey(folder.at("short")); }).message,
             Contains("is no Ed25519 public key"));
}
