// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/document_names.hpp"

#include <string>

using namespace skillhost;

TEST_CASE("what tools and desktops write beside a skill is litter") {
  for (const char *name : {"__pycache__", "a.pyc", ".DS_Store", "._notes.md", "Thumbs.db",
                           "desktop.ini", "SKILL.md~", ".SKILL.md.swp", ".#SKILL.md", "#SKILL.md#",
                           "node_modules", ".venv", ".git", "__MACOSX", ".nfs000000000002"}) {
    INFO(name);
    CHECK(kindOfName(name) == NameKind::Litter);
  }
  CHECK(kindOfPath("scripts/__pycache__/run.cpython-312.pyc") == NameKind::Litter);
  CHECK(kindOfPath("node_modules/left-pad/index.js") == NameKind::Litter);
}

TEST_CASE("files that hold secrets are known by their names, whatever the case") {
  for (const char *name : {".env",
                           ".ENV",
                           ".env.local",
                           ".env.production",
                           ".envrc",
                           "id_rsa",
                           "id_ed25519",
                           ".netrc",
                           "_netrc",
                           ".npmrc",
                           ".pypirc",
                           ".git-credentials",
                           ".pgpass",
                           "server.key",
                           "aws-login.pem",
                           "private.pem",
                           "ca-key.pem",
                           "cert-key.pem",
                           "store.p12",
                           "store.PFX",
                           "putty.ppk",
                           "client_secret_1.apps.googleusercontent.com.json",
                           "credentials.json",
                           "application_default_credentials.json",
                           "service-account.json",
                           "service_account.json",
                           "serviceAccountKey.json",
                           "ada_accessKeys.csv",
                           "rootkey.csv",
                           ".boto",
                           ".s3cfg",
                           "rclone.conf",
                           ".vault-token",
                           "kubeconfig",
                           ".dockercfg",
                           ".aws",
                           ".env.distribution",
                           ".env-prod",
                           "prod.env",
                           "id_rsa.bak",
                           "terraform.tfstate.backup",
                           "pubsub.pem",
                           "server-bundle.pem",
                           ".ssh"}) {
    INFO(name);
    CHECK(kindOfName(name) == NameKind::Secret);
  }
  CHECK(kindOfPath(".aws/credentials") == NameKind::Secret);
  for (const char *name : {".bak", ".old", "-", "."}) // little or nothing is left to compare
    CHECK(kindOfName(name) == NameKind::Document);
  CHECK(kindOfPath("conf/.env") == NameKind::Secret);
  CHECK(kindOfName(std::string(252, 'a') + ".key") == NameKind::Secret);
}

TEST_CASE("examples, certificates, public keys and everything else are documents") {
  for (const char *name : {"SKILL.md",
                           ".env.example",
                           ".env.sample",
                           ".env.template",
                           ".env.example.local",
                           "example.env",
                           "ca-bundle.pem",
                           ".npmrc.example",
                           ".envoy.yaml",
                           "env.md",
                           "environment",
                           "id_rsa.pub",
                           "server.key.md",
                           "ca.pem",
                           "cert.pem",
                           "fullchain.pem",
                           "public.pem",
                           "key.pub.pem",
                           "keys.md",
                           ".gitignore",
                           ".github",
                           "secrets.md",
                           "a~b",
                           "notes.swp.md",
                           "pycache",
                           "#1 reasons.md",
                           "",
                           "credentials.md"}) {
    INFO(name);
    CHECK(kindOfName(name) == NameKind::Document);
  }
  CHECK(kindOfPath("references/deep/a.md") == NameKind::Document);
}

TEST_CASE("a pointer of Git LFS is one whole, and nothing that speaks of it") {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:"
                              "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
                              "size 12345\n";
  CHECK(isLfsPointer(pointer));
  CHECK_FALSE(isLfsPointer("# LFS\n\n" + pointer));
  CHECK_FALSE(isLfsPointer("version https://git-lfs.github.com/spec/v1\n"));
  CHECK_FALSE(isLfsPointer(pointer + std::string(maxLfsPointerBytes, 'x')));
}

TEST_CASE("a link that git wrote as text is a relative path alone") {
  CHECK(looksLikeLinkText("../.agents/skills/pdf"));
  CHECK(looksLikeLinkText("../../a b"));
  CHECK_FALSE(looksLikeLinkText("../a\n"));
  CHECK_FALSE(looksLikeLinkText("see ../a"));
  CHECK_FALSE(looksLikeLinkText("../"));
  CHECK_FALSE(looksLikeLinkText(""));
}
