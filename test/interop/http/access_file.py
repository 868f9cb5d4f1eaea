"""An access file in a folder of its own."""

import hashlib
import json
import pathlib
import secrets
import tempfile

RESOURCE = "https://rpc.example.org/mcp"
METADATA = "https://rpc.example.org/.well-known/oauth-protected-resource/mcp"


class AccessFile:
    def __init__(self, **members):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = self._folder.name
        self.path = pathlib.Path(self.folder, "access.json")
        self.path.touch(0o600)
        self.members = {"tokens": [], **members}
        self._write()
        # The public key of a pair that nobody has any more.
        key = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
        pathlib.Path(self.folder, "keys.json").write_text(json.dumps({"keys": [key]}), encoding="utf-8")

    def add_token(self, principal, *scopes, **more):
        """Returns a new token, whose digest is in the file from now on."""
        token = secrets.token_urlsafe(32)
        digest = hashlib.sha256(token.encode()).hexdigest()
        self.members["tokens"].append({"sha256": digest, "principal": principal, "scopes": scopes, **more})
        self._write()
        return token

    def change(self, **members):
        self.members.update(members)
        self._write()

    def _write(self):
        self.path.write_text(json.dumps(self.members), encoding="utf-8")

    def remove(self):
        self._folder.cleanup()
