"""The Kustomize base: every object valid by Kubernetes' own schema, and what belongs together fits together."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator, ValidationError

from server.config import options

ROOT = Path(__file__).parents[2]
BASE = ROOT / "deploy" / "kubernetes"
SCHEMA = json.loads((Path(__file__).parent / "kubernetes-1.31.json").read_text(encoding="utf-8"))
KINDS = {
    "StatefulSet": "io.k8s.api.apps.v1.StatefulSet",
    "Service": "io.k8s.api.core.v1.Service",
    "PodDisruptionBudget": "io.k8s.api.policy.v1.PodDisruptionBudget",
}
OF_METRICS = frozenset(("PATCHBAY_METRICS_HOST",))  # a setting that comes with the metrics' own address


def read(name: str) -> Any:
    return yaml.safe_load((BASE / name).read_text(encoding="utf-8"))


def check(thing: Any) -> None:
    """Raise ValidationError unless Kubernetes would take it."""
    Draft202012Validator({"$ref": f"#/$defs/{KINDS[thing['kind']]}", **SCHEMA}).validate(thing)


def objects() -> dict[str, Any]:
    found = [read(name) for name in read("kustomization.yaml")["resources"]]
    return {thing["kind"]: thing for thing in found}


def test_every_file_is_one_of_the_base() -> None:
    listed = {*read("kustomization.yaml")["resources"], "kustomization.yaml"}
    assert {file.name for file in BASE.iterdir()} == listed


@pytest.mark.parametrize("kind", KINDS)
def test_kubernetes_takes_it(kind: str) -> None:
    check(objects()[kind])


def test_kustomize_builds_what_kubernetes_takes() -> None:
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is not installed: the base is NOT built")
    done = subprocess.run(["kubectl", "kustomize", str(BASE)], capture_output=True, text=True, check=True)
    built = {thing["kind"]: thing for thing in yaml.safe_load_all(done.stdout)}
    assert built.keys() == {*KINDS, "ConfigMap"}
    for kind in KINDS:
        check(built[kind])
    [container] = built["StatefulSet"]["spec"]["template"]["spec"]["containers"]
    assert container["envFrom"][0]["configMapRef"]["name"] == built["ConfigMap"]["metadata"]["name"]


def test_the_schema_finds_a_typing_error() -> None:
    stateful = objects()["StatefulSet"]
    stateful["spec"]["template"]["spec"]["containers"][0]["redinessProbe"] = {}
    with pytest.raises(ValidationError, match="redinessProbe"):
        check(stateful)


def test_what_belongs_together_fits_together() -> None:
    found = objects()
    pod = found["StatefulSet"]["spec"]["template"]["spec"]
    [container] = pod["containers"]
    [generated] = read("kustomization.yaml")["configMapGenerator"]
    settings = dict(line.split("=", 1) for line in generated["literals"])
    assert settings.keys() <= {variable for _, variable, _ in options()} | OF_METRICS
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert str(ports["metrics"]) == settings["PATCHBAY_METRICS_PORT"]
    assert found["Service"]["spec"]["ports"][0]["targetPort"] in ports
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounts["host-keys"] == settings["PATCHBAY_HOST_KEYS"]
    claims = [one["metadata"]["name"] for one in found["StatefulSet"]["spec"]["volumeClaimTemplates"]]
    assert mounts.keys() == {*(volume["name"] for volume in pod["volumes"]), *claims}
    paths = {name: container[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "liveness", "readiness")}
    assert paths == {"startup": "/healthz", "liveness": "/healthz", "readiness": "/readyz"}
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert f"--uid {pod['securityContext']['runAsUser']} " in dockerfile
    labels = found["StatefulSet"]["spec"]["template"]["metadata"]["labels"]
    assert found["StatefulSet"]["spec"]["selector"]["matchLabels"] == labels
    assert found["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    assert found["Service"]["spec"]["selector"] == labels
    assert found["StatefulSet"]["spec"]["serviceName"] == found["Service"]["metadata"]["name"]


def test_the_pod_is_hardened() -> None:
    pod = objects()["StatefulSet"]["spec"]["template"]["spec"]
    own = pod["containers"][0]["securityContext"]
    assert own == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
