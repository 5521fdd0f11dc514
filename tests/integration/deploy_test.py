#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the recipes for Kubernetes, Helm and compose: deploy_test.py SERVER SOURCE_ROOT BUILD_ROOT SKILLS

Manifests are compared with the schemas of Kubernetes, with one another, with the restricted pod security
standard, and with the server: it starts with their configuration mounted as by a kubelet, and answers their
probes. Helm, the schemas and docker-compose are used where they are installed, or can be fetched from Go's proxy
and PyPI. The test prints what it leaves out."""
from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from balancers import NAME, Replica, found, without_state
from checks import DEADLINE, Checks
from http_server import MODERN, modern

SERVER, ROOT, BUILD, SKILLS = (str(Path(path).resolve()) for path in sys.argv[1:5])
RECIPES = Path(ROOT) / "examples" / "deploy"
TOOLS = Path(BUILD) / "tests" / "integration" / "deploy-tools"  # fetched once
STATE = Path(BUILD) / "plugins" / "state" / "valkey" / "valkey.so"
HELM = "helm.sh/helm/v3/cmd/helm@v3.14.4"
SCHEMAS = "kubernetes-validate==1.37.0"
VERSIONS = ("1.25", "1.31", "1.37")  # of Kubernetes: the oldest that the chart accepts, and the newest with schemas
SECRETS = {"skillhost", "skillhost-tokens", "valkey-users"}  # the objects of secret.example.yaml
checks = Checks()
check = checks.check
Object = dict[str, Any]


def documents(text: str) -> list[Object]:
    return [one for one in yaml.safe_load_all(text) if one]


# The tools.

def helm() -> str | None:
    if (there := found("helm")) or (there := shutil.which(TOOLS / "helm")):
        return there
    if os.environ.get("SKILLHOST_LONG_TESTS") != "1":  # takes five minutes of two processors
        print("left out: rendering of the chart (helm is not installed; SKILLHOST_LONG_TESTS=1 has it built)")
        return None
    if not found("go"):
        print("left out: rendering of the chart (neither helm nor go is installed)")
        return None
    print("building helm, once", flush=True)
    TOOLS.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["go", "install", "-p", "1", HELM], env={**os.environ, "GOBIN": str(TOOLS), "GOFLAGS": "-mod=mod"},
                          cwd=TOOLS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1200, check=False)
    if done.returncode != 0:
        print(f"left out: rendering of the chart (helm cannot be had: {done.stdout[-300:]})")
        return None
    return str(TOOLS / "helm")


def validator() -> list[str] | None:
    """Returns a command that checks files against the schemas of Kubernetes, which its package contains."""
    place = TOOLS / "schemas"
    program = place / "bin" / "kubernetes-validate"
    if not program.exists():
        shutil.rmtree(place, ignore_errors=True)
        venv.create(place, with_pip=True)
        done = subprocess.run([place / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", SCHEMAS],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
        if done.returncode != 0:
            shutil.rmtree(place)
            print(f"left out: the schemas of Kubernetes ({SCHEMAS} cannot be had: {done.stdout[-300:]})")
            return None
    return [str(program), "--strict", "--quiet"]


def fits_schemas(command: list[str] | None, what: str, text: str, folder: Path) -> None:
    if not command:
        return
    file = folder / "manifests.yaml"
    file.write_text(text)
    for version in VERSIONS:
        done = subprocess.run([*command, "-k", version, file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120, check=False)
        check(done.returncode == 0, f"{what}: the schemas of Kubernetes {version}: {done.stdout[:1000]}")


# Consistency of the manifests.

def one(objects: list[Object], kind: str, name: str | None = None) -> Object:
    got = [each for each in objects if each["kind"] == kind and name in (None, each["metadata"]["name"])]
    assert len(got) == 1, f"{kind} {name}: {len(got)}"
    return got[0]


def labels_of(workload: Object) -> Object:
    return workload["spec"]["template"]["metadata"]["labels"]


def selects(selector: Object, labels: Object) -> bool:
    return bool(selector) and selector.items() <= labels.items()


def restricted(workload: Object, what: str) -> None:
    """Checks the restricted pod security standard, and a read-only root."""
    pod = workload["spec"]["template"]["spec"]
    outer = pod["securityContext"]
    check(outer["runAsNonRoot"] is True and outer["runAsUser"] > 0, f"{what}: not root")
    check(outer["seccompProfile"] == {"type": "RuntimeDefault"}, f"{what}: seccomp")
    check(pod["automountServiceAccountToken"] is False, f"{what}: no token of the cluster")
    check(not any(pod.get(key) for key in ("hostNetwork", "hostPID", "hostIPC")), f"{what}: nothing of the host")
    allowed = {"configMap", "secret", "emptyDir", "persistentVolumeClaim", "projected", "downwardAPI", "csi", "ephemeral"}
    check(all(set(volume) - {"name"} <= allowed for volume in pod["volumes"]), f"{what}: volumes")
    for container in pod["containers"]:
        inner = container["securityContext"]
        check(inner["allowPrivilegeEscalation"] is False and inner["capabilities"] == {"drop": ["ALL"]}
              and inner["readOnlyRootFilesystem"] is True and "add" not in inner["capabilities"], f"{what}: {inner}")
        check(not any("hostPort" in port for port in container["ports"]), f"{what}: no port of the host")
        limits = container["resources"]
        check("memory" in limits["limits"] and {"cpu", "memory"} <= limits["requests"].keys(), f"{what}: resources")


def mounts(workload: Object, objects: list[Object], secrets: set[str], what: str) -> None:
    pod = workload["spec"]["template"]["spec"]
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    claims = {claim["metadata"]["name"] for claim in workload["spec"].get("volumeClaimTemplates", [])}
    maps = {each["metadata"]["name"] for each in objects if each["kind"] == "ConfigMap"}
    used: set[str] = set()
    for container in pod["containers"]:
        used |= {mount["name"] for mount in container["volumeMounts"]}
        for source in container.get("envFrom", []):
            check(source["secretRef"]["name"] in secrets, f"{what}: {source}")
    check(used == volumes.keys() | claims, f"{what}: what is mounted is there, and the other way round: {used}")
    for volume in volumes.values():
        if "configMap" in volume:
            check(volume["configMap"]["name"] in maps, f"{what}: {volume}")
        if "secret" in volume:
            # The plugin `static` refuses a file that others may read.
            check(volume["secret"]["secretName"] in secrets and volume["secret"]["defaultMode"] == 0o440, f"{what}: {volume}")


def ends_in_time(workload: Object, what: str) -> None:
    """Checks that the grace period is the time before SIGTERM plus the stop time of systemd's unit."""
    unit = (Path(ROOT) / "packaging" / "systemd" / "skillhost.service").read_text()
    stop = re.search(r"^TimeoutStopSec=(\d+)s$", unit, re.M)
    assert stop
    pod = workload["spec"]["template"]["spec"]
    command = pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"]
    check(command[0] == "/bin/sleep" and int(command[1]) + int(stop[1]) <= pod["terminationGracePeriodSeconds"],
          f"{what}: {command} and {stop[1]} s fit into {pod['terminationGracePeriodSeconds']} s")


def fits_together(objects: list[Object], secrets: set[str], what: str) -> None:
    keys = [(each["kind"], each["metadata"]["name"]) for each in objects]
    check(len(keys) == len(set(keys)), f"{what}: each once: {keys}")
    workload = one(objects, "Deployment")
    name, labels = workload["metadata"]["name"], labels_of(workload)
    container = workload["spec"]["template"]["spec"]["containers"][0]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    check(selects(workload["spec"]["selector"]["matchLabels"], labels), f"{what}: the deployment selects its pods")
    service = one(objects, "Service", name)["spec"]
    check(selects(service["selector"], labels) and service["ports"][0]["targetPort"] in ports, f"{what}: the service")
    for spread in workload["spec"]["template"]["spec"]["topologySpreadConstraints"]:
        check(selects(spread["labelSelector"]["matchLabels"], labels), f"{what}: {spread}")
    for each in objects:
        spec = each.get("spec", {})
        if each["kind"] == "HorizontalPodAutoscaler":
            check(spec["scaleTargetRef"] == {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}, f"{what}: {spec}")
            check("replicas" not in workload["spec"], f"{what}: how many there are is said once")
        if each["kind"] == "PodDisruptionBudget":
            check(selects(spec["selector"]["matchLabels"], labels), f"{what}: the disruption budget")
        if each["kind"] == "NetworkPolicy" and each["metadata"]["name"] == name:
            check(selects(spec["podSelector"]["matchLabels"], labels), f"{what}: the network policy")
            for rule in spec.get("ingress", []):
                check(bool(rule.get("from")) and rule["ports"][0]["port"] in ports, f"{what}: {rule}")
        if each["kind"] == "Ingress":
            for path in spec["rules"][0]["http"]["paths"]:
                check(path["backend"]["service"] == {"name": name, "port": {"name": service["ports"][0]["name"]}}, f"{what}: {path}")
    account = one(objects, "ServiceAccount")
    check(account["metadata"]["name"] == workload["spec"]["template"]["spec"]["serviceAccountName"]
          and account["automountServiceAccountToken"] is False, f"{what}: the service account")
    for each in objects:
        if each["kind"] in ("Deployment", "StatefulSet"):
            restricted(each, f"{what}: {each['kind']}")
            mounts(each, objects, secrets, f"{what}: {each['kind']}")
    ends_in_time(workload, what)


# The server with these manifests.

def mounted(folder: Path, files: dict[str, str]) -> None:
    """Writes files as a kubelet mounts a ConfigMap or a Secret: as links to a folder with the current time."""
    (folder / "..2026_01_01").mkdir(parents=True)
    (folder / "..data").symlink_to("..2026_01_01")
    for name, text in files.items():
        (folder / "..2026_01_01" / name).write_text(text)
        (folder / "..2026_01_01" / name).chmod(0o440)
        (folder / name).symlink_to(f"..data/{name}")


def probes(container: Object) -> Iterator[tuple[str, str]]:
    for name in ("startupProbe", "livenessProbe", "readinessProbe"):
        yield name, container[name]["httpGet"]["path"]


def serves(objects: list[Object], folder: Path, what: str) -> None:
    """Runs the container's command, with its folders below one of this test and a source without network."""
    workload = one(objects, "Deployment")
    container = workload["spec"]["template"]["spec"]["containers"][0]
    text = one(objects, "ConfigMap", workload["metadata"]["name"])["data"]["skillhost.yaml"]
    folder.mkdir()
    tokens = folder / "tokens.json"
    token = subprocess.run([SERVER, "token", "add", "alice", "--scope", "skills:read", "--file", tokens], check=True, timeout=60,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()
    configuration = yaml.safe_load(text)
    if not STATE.is_file() and "state" in configuration:
        print(f"{what}: its state is left out, the plugin valkey is not built")
        text = without_state(text)
    paths = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    check(configuration["auth"]["config"]["file"] == f"{paths['tokens']}/tokens.json", f"{what}: where tokens are")
    check(container["args"] == ["serve", "--config", f"{paths['config']}/skillhost.yaml"], f"{what}: {container['args']}")
    cache = {each["name"]: each["value"] for each in container["env"]}["XDG_CACHE_HOME"]
    check(paths["cache"] == f"{cache}/skillhost", f"{what}: the cache is in the volume for it")
    mounted(folder / "config", {"skillhost.yaml": text})
    mounted(folder / "tokens", {"tokens.json": tokens.read_text()})
    variables = {"VALKEY_PASSWORD": "p" * 32, "SKILLHOST_STATE_SECRET": "s" * 64, "GITHUB_TOKEN": "t" * 20, "WEBHOOK_SECRET": "w" * 32}
    accepted = subprocess.run([SERVER, "--config", folder / "config" / "skillhost.yaml", "--print-config"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60, check=False, env={**os.environ, **variables})
    check(accepted.returncode == 0, f"{what}: the configuration is accepted: {accepted.stdout[-1000:]}")
    check(not any(value in accepted.stdout for value in variables.values()), f"{what}: and shows no secret")
    sources = [{"name": "team", "plugin": "filesystem", "config": {"directories": [SKILLS]}}]
    server = Replica(SERVER, folder / "config" / "skillhost.yaml", "--set", f"sources={json.dumps(sources)}",
                     "--set", f"auth.config={json.dumps({'file': str(folder / 'tokens' / 'tokens.json')})}",
                     XDG_CACHE_HOME=str(folder / "cache"), **variables)

    def ask(method: str, path: str, body: Object | None = None, **fields: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
        connection.request(method, path, json.dumps(body) if body else None, {name.replace("_", "-"): value for name, value in fields.items()})
        response = connection.getresponse()
        answer = response.read().decode()
        connection.close()
        return response.status, answer
    for name, path in probes(container):
        # A kubelet sends the address of the pod.
        status, answer = ask("GET", path, Host="10.244.1.7:8080")
        check(status == 200, f"{what}: {name}: {path}: {status} {answer}")
    fields = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream",
              "MCP_Protocol_Version": MODERN, "Mcp_Method": "tools/list"}
    for host, credential, expected in ((NAME, f"Bearer {token}", 200), (NAME, "Bearer skh_wrong", 401), ("elsewhere.example", f"Bearer {token}", 403)):
        status, answer = ask("POST", "/mcp", modern("tools/list"), Host=host, Authorization=credential, **fields)
        check(status == expected, f"{what}: {host}: {status} {answer[:300]}")
    check(server.end() == 0, f"{what}: it ends in order")


# The recipes.

def plain_manifests(command: list[str] | None, folder: Path) -> None:
    place = RECIPES / "kubernetes"
    kustomization = yaml.safe_load((place / "kustomization.yaml").read_text())
    names = kustomization["resources"]
    there = {file.name for file in place.glob("*.yaml")}
    check(set(names) == there - {"kustomization.yaml", "secret.example.yaml"} and len(names) == len(set(names)),
          f"kustomization.yaml names every file: {there ^ set(names)}")
    objects = [each for name in names for each in documents((place / name).read_text())]
    fits_together(objects, SECRETS, "manifests")
    space = one(objects, "Namespace")["metadata"]
    check(all(each["metadata"].get("namespace") == space["name"] for each in objects if each["kind"] != "Namespace"), "one namespace")
    check(space["labels"]["pod-security.kubernetes.io/enforce"] == "restricted", "the namespace is a restricted one")
    examples = documents((place / "secret.example.yaml").read_text())
    check({each["metadata"]["name"] for each in examples} == SECRETS, "each secret has an example")
    wanted = set(re.findall(r"\benv:([A-Z_]+)", one(objects, "ConfigMap", "skillhost")["data"]["skillhost.yaml"]))
    check(wanted == one(examples, "Secret", "skillhost")["stringData"].keys(), f"the example has what the configuration names: {wanted}")
    for name in [*names, "secret.example.yaml"]:
        fits_schemas(command, f"kubernetes/{name}", (place / name).read_text(), folder)
    serves(objects, folder / "plain", "manifests")
    if kustomize := found("kustomize"):
        built = subprocess.run([kustomize, "build", place], stdout=subprocess.PIPE, text=True, timeout=120, check=True).stdout
        check(len(documents(built)) == len(objects), "kustomize builds what there is")
    else:
        print("left out: kustomize build (kustomize is not installed)")


def same_engine() -> None:
    """Checks that the engine of both recipes has the same rules, and users that ./prepare would make."""
    def rules(text: str) -> set[str]:
        return {line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith(("#", "aclfile"))}
    objects = documents((RECIPES / "kubernetes" / "valkey.yaml").read_text())
    check(rules(one(objects, "ConfigMap")["data"]["valkey.conf"]) == rules((RECIPES / "haproxy" / "valkey.conf").read_text()),
          "valkey.conf is the same in both recipes")
    example = one(documents((RECIPES / "kubernetes" / "secret.example.yaml").read_text()), "Secret", "valkey-users")["stringData"]["users.acl"]
    permissions = example.split("resetchannels ")[1].split(" ", 1)[1].strip()
    check(permissions in (RECIPES / "haproxy" / "prepare").read_text(), f"./prepare gives the same permissions: {permissions}")


VALUES: dict[str, Object] = {
    "least": {"tokensSecret": "skillhost-tokens"},
    "all": {"tokensSecret": "skillhost-tokens", "environmentSecret": "skillhost", "trustedProxies": ["10.244.0.0/16", "2001:db8::/64"],
            "state": {"enabled": True, "address": "valkey:6379", "podName": "valkey", "config": {"tls": True, "server_name": "valkey.example"}},
            "ingress": {"enabled": True, "className": "nginx", "tlsSecret": "certificate"},
            "image": {"digest": "sha256:" + "0" * 64}, "imagePullSecrets": [{"name": "pull"}], "podLabels": {"team": "skills"},
            "podAnnotations": {"prometheus.io/scrape": "true"}, "nodeSelector": {"kubernetes.io/arch": "amd64"},
            "tolerations": [{"key": "skills", "operator": "Exists"}], "env": [{"name": "HTTPS_PROXY", "value": "http://proxy:3128"}],
            "networkPolicy": {"egress": [{"to": [{"ipBlock": {"cidr": "10.0.0.9/32"}}], "ports": [{"protocol": "TCP", "port": 443}]}]}},
    "small": {"tokensSecret": "skillhost-tokens", "autoscaling": {"enabled": False}, "replicas": 1, "maxMemoryMb": 0,
              "disruptionBudget": {"enabled": False}, "networkPolicy": {"enabled": False}},
}
# Values that are refused, and the name in the refusal.
WRONG: list[tuple[Object, str]] = [
    ({"publicUrl": ""}, "publicUrl"),
    ({"publicUrl": "skills.example"}, "publicUrl"),
    ({}, "tokensSecret"),
    ({"tokensSecret": "t", "replica": 3}, "replica"),
    ({"tokensSecret": "t", "replicas": "three"}, "replicas"),
    ({"tokensSecret": "t", "trustedProxies": ["everybody"]}, "trustedProxies"),
    ({"tokensSecret": "t", "config": {"transport": "stdio"}}, "transport"),
    ({"tokensSecret": "t", "config": {"state": {"plugin": "valkey"}}}, "state"),
    ({"tokensSecret": "t", "state": {"enabled": True}}, "state"),
    ({"tokensSecret": "t", "state": {"enabled": True, "address": "valkey:6379"}}, "environmentSecret"),
    ({"tokensSecret": "t", "autoscaling": {"minReplicas": 5, "maxReplicas": 2}}, "autoscaling.minReplicas"),
]


def chart(program: str, command: list[str] | None, folder: Path) -> None:
    place = RECIPES / "helm" / "skillhost"

    def run(*arguments: str, values: Object) -> tuple[int, str]:
        file = folder / "values.json"
        file.write_text(json.dumps({"publicUrl": f"https://{NAME}/mcp", **values}))
        done = subprocess.run([program, *arguments, str(place), "-f", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=120, check=False, env={**os.environ, "HELM_CACHE_HOME": str(folder), "HELM_CONFIG_HOME": str(folder)})
        return done.returncode, done.stdout if done.returncode == 0 else done.stderr + done.stdout

    def template(values: Object) -> tuple[int, str]:
        return run("template", "team", "--namespace", "skills", "--kube-version", "1.31.0", values=values)
    for what, values in VALUES.items():
        code, said = run("lint", "--strict", values=values)
        check(code == 0, f"helm lint, {what}: {said}")
        code, text = template(values)
        check(code == 0, f"helm template, {what}: {text}")
        if code != 0:
            continue
        objects = documents(text)
        fits_together(objects, {"skillhost", "skillhost-tokens"}, f"chart, {what}")
        fits_schemas(command, f"chart, {what}", text, folder)
        serves(objects, folder / f"chart-{what}", f"chart, {what}")
        kinds = {each["kind"] for each in objects}
        check(("Ingress" in kinds) == (what == "all") and ("HorizontalPodAutoscaler" in kinds) == (what != "small")
              and ("NetworkPolicy" in kinds) == (what != "small"), f"chart, {what}: {kinds}")
    rendered = documents(template(VALUES["all"])[1])
    configuration = yaml.safe_load(one(rendered, "ConfigMap")["data"]["skillhost.yaml"])
    recipe = yaml.safe_load((RECIPES / "haproxy" / "skillhost.yaml").read_text())
    check(configuration["state"].keys() == recipe["state"].keys() and configuration["state"]["config"]["server_name"] == "valkey.example"
          and configuration["state"]["config"]["password"] == "env:VALKEY_PASSWORD", f"the chart's state: {configuration['state']}")
    other = documents(template({**VALUES["all"], "trustedProxies": ["10.0.0.7"]})[1])
    sums = [one(each, "Deployment")["spec"]["template"]["metadata"]["annotations"]["checksum/configuration"] for each in (rendered, other)]
    check(sums[0] != sums[1], "another configuration is another pod")
    for values, name in WRONG:
        code, said = template(values)
        check(code != 0 and name in said, f"{values} is refused, and {name} is named: {code} {said[:500]}")


def compose(folder: Path) -> None:
    place = RECIPES / "haproxy"
    recipe = yaml.safe_load((place / "compose.yaml").read_text())
    services = recipe["services"]
    made = {"skillhost.env", "users.acl", "skills.pem", "tokens.json"}  # by ./prepare and by `skillhost token add`
    for name, service in services.items():
        for volume in service["volumes"]:
            source = re.sub(r"^\$\{[A-Z]+:-(.*?)\}", r"\1", volume).split(":")[0]
            if source.startswith("./secrets/"):
                check(Path(source).name in made, f"compose: {name}: {volume}")
            elif source.startswith("./") and source != "./skills":
                check((place / source).is_file(), f"compose: {name}: {volume}")
            elif not source.startswith("."):
                check(source in recipe["volumes"], f"compose: {name}: {volume}")
    servers = re.findall(r"^  server (\S+) (\S+):8080$", (place / "haproxy.cfg").read_text(), re.M)
    check([name for name, _ in servers] == [name for name in services if name.startswith("replica-")]
          and all(name == address for name, address in servers), f"compose: haproxy.cfg has the replicas: {servers}")
    address = services["balancer"]["networks"]["inner"]["ipv4_address"]
    configuration = yaml.safe_load((place / "skillhost.yaml").read_text())
    check(configuration["http"]["trusted_proxies"] == [address], "compose: the balancer is trusted, and nobody else")
    check(configuration["state"]["config"]["address"].split(":")[0] in services, "compose: the engine is there")
    check(configuration["auth"]["config"]["file"] in str(services["replica-1"]["volumes"]), "compose: the file of tokens is mounted")
    program = found("docker-compose")
    if not program:
        print("left out: docker-compose config (docker-compose is not installed)")
        return
    copy = folder / "compose"
    shutil.copytree(place, copy, ignore=shutil.ignore_patterns("secrets"))
    subprocess.run([copy / "prepare", NAME], check=True, stdout=subprocess.DEVNULL, timeout=60)
    done = subprocess.run([program, "-f", str(copy / "compose.yaml"), "config"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120, check=False)
    check(done.returncode == 0 and "SKILLHOST_STATE_SECRET" in done.stdout, f"docker-compose config: {done.stdout[:1000]}")


def prepares(folder: Path) -> None:
    """Checks that ./prepare keeps existing files, and refuses changes that would lock the replicas out."""
    place = folder / "prepared"
    shutil.copytree(RECIPES / "haproxy", place, ignore=shutil.ignore_patterns("secrets"))

    def prepare(*arguments: str) -> tuple[int, str]:
        done = subprocess.run([place / "prepare", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        return done.returncode, done.stdout
    check(prepare()[0] == 2 and prepare("a b")[0] == 1, "./prepare needs a name")
    check(not (place / "secrets").exists(), "and leaves nothing without it")
    check(prepare(NAME)[0] == 0, "./prepare makes the secrets")
    before = {file.name: file.read_bytes() for file in (place / "secrets").iterdir()}
    check(set(before) == {"skillhost.env", "users.acl", "skills.pem"}, f"nothing else is left: {set(before)}")
    for name in ("skillhost.env", "skills.pem"):
        check((place / "secrets" / name).stat().st_mode & 0o077 == 0, f"{name} is for its owner alone")
    password = dict(line.split("=") for line in before["skillhost.env"].decode().splitlines())["VALKEY_PASSWORD"]
    check(password.encode() not in before["users.acl"], "the engine's file has no password")
    check(prepare(NAME)[0] == 0 and before == {file.name: file.read_bytes() for file in (place / "secrets").iterdir()}, "what is there is kept")
    (place / "secrets" / "users.acl").unlink()
    code, said = prepare(NAME)
    check(code == 1 and "belong together" in said, f"one without the other is refused: {code} {said}")


def alerts() -> None:
    """Checks that every alert uses existing metrics, and that doc/operations.md explains it."""
    file = RECIPES / "prometheus" / "skillhost.rules.yaml"
    rules = [rule for group in yaml.safe_load(file.read_text())["groups"] for rule in group["rules"]]
    metrics = set(re.findall(r"`(skillhost_[a-z_]+)`", (Path(ROOT) / "doc" / "monitoring.md").read_text()))
    page = (Path(ROOT) / "doc" / "operations.md").read_text()
    for rule in rules:
        for name in re.findall(r"\bskillhost_[a-z_]+", rule["expr"]):
            check(re.sub(r"_(bucket|count|sum)$", "", name) in metrics, f"{rule['alert']}: there is no metric {name}")
        check(f"`{rule['alert']}`" in page, f"doc/operations.md explains {rule['alert']}")
    named = set(re.findall(r"`(Skillhost[A-Za-z]+)`", page))
    check(named == {rule["alert"] for rule in rules}, f"doc/operations.md explains what there is: {named}")
    if promtool := found("promtool"):
        done = subprocess.run([promtool, "check", "rules", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=60, check=False)
        check(done.returncode == 0, f"promtool check rules: {done.stdout}")
    else:
        print("left out: promtool check rules (promtool is not installed)")


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = validator()
        plain_manifests(command, folder)
        same_engine()
        alerts()
        if program := helm():
            chart(program, command, folder)
        if found("openssl"):
            prepares(folder)
            compose(folder)
        else:
            print("left out: ./prepare and compose.yaml (openssl is not installed)")
    return checks.finish()


sys.exit(main())
