"""The published JSON schemas, to hold real traffic against."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"


@cache
def validator(name: str) -> Draft202012Validator:
    """Return the validator of docs/schemas/NAME.json."""
    schemas = {path.name: json.loads(path.read_text()) for path in FOLDER.glob("*.json")}
    resources = [(file, Resource.from_contents(schema)) for file, schema in schemas.items()]
    return Draft202012Validator(schemas[f"{name}.json"], registry=Registry().with_resources(resources))


def check(name: str, message: dict[str, Any]) -> None:
    """Raise ValidationError unless a message is what the schema says."""
    validator(name).validate(message)
