"""The protocol written down for others: a JSON Schema, an AsyncAPI and an OpenAPI document, and TypeScript types.

All of it is made from the structs that the service itself uses, so it cannot say anything else than the service does.
"""

from server.spec.documents import openapi, spec
from server.spec.schema import components, json_schema
from server.spec.typescript import typescript

__all__ = ["components", "json_schema", "openapi", "spec", "typescript"]
