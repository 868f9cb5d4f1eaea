"""A bus with TLS and users, of a real nats-server: secure_bus_test.py GATEWAY NATS-SERVER"""

import asyncio
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from load import Connection, reply_in
from machines import EXAMPLE, HERE, Machine, free_ports, is_healthy, until
from nats_keys import Realm, openssl

GATEWAY, NATS = sys.argv[1:3]


def permissions():
    """Those of the example, by user."""
    text = re.sub(r"#.*", "", (EXAMPLE / "nats.conf").read_text())
    found = re.findall(r"(front|worker): \{\s*publish: (\[[^\]]*\])\s*subscribe: (\[[^\]]*\])", text)
    return {user: {"publish": json.loads(publish), "subscribe": json.loads(subscribe)}
            for user, publish, subscribe in found}


class Authority:
    """Certificates, as `NAME.pem` and `NAME.key`, of one that is trusted."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.make(name, "-x509", "-subj", f"/CN={name}")

    def make(self, name, *how):
        key, certificate = self.folder / f"{name}.key", self.folder / f"{name}.pem"
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-keyout", str(key),
                "-out", str(certificate), *how)
        key.chmod(0o600)

    def certify(self, name, names):
        own = self.folder / self.name
        self.make(name, "-x509", "-subj", f"/CN={name}", "-addext", f"subjectAltName={names}", "-CA", f"{own}.pem",
                  "-CAkey", f"{own}.key")


class SecureBusTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.port, self.bus_port = free_ports(2)
        self.authority = Authority(self.folder, "ca")
        self.authority.certify("node", "IP:127.0.0.1")
        self.tls = f'cert_file: "{self.folder}/node.pem", key_file: "{self.folder}/node.key"'
        self.front = self.worker = None

    def start(self, name, command):
        machine = Machine(name, command, self.folder)
        machine.start()
        self.addCleanup(machine.kill)
        return machine

    async def start_server(self, users):
        config = self.folder / "nats.conf"
        config.write_text(f'listen: 127.0.0.1:{self.bus_port}\njetstream {{ store_dir: "{self.folder}/store" }}\n'
                          f"tls {{ {self.tls} }}\n{users}")
        server = self.start("nats", [NATS, "-c", str(config)])

        async def is_ready():
            return server.says("Server is ready")

        await until(is_ready, "nats-server is ready")

    def passwords(self):
        users = [{"user": name, "password": name[0], "permissions": permissions()[name]} for name in ("front", "worker")]
        return f"authorization: {{ users: {json.dumps(users)} }}\n"

    def start_front(self, user, *options):
        return self.start("front", [GATEWAY, "--listen", f"127.0.0.1:{self.port}", "--service", "tools", "--bus",
                                    f"tls://{user}127.0.0.1:{self.bus_port}", *options])

    def start_worker(self, user, *options):
        return self.start("worker", [GATEWAY, "--service", "tools", "--bus", f"tls://{user}127.0.0.1:{self.bus_port}",
                                     *options, "--", sys.executable, str(HERE / "recording_server.py"),
                                     str(self.folder / "record")])

    def ca(self, name="ca"):
        return ["--tls-ca", str(self.folder / f"{name}.pem")]

    async def call(self):
        one = Connection(*await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22))
        try:
            params = {"name": "act", "arguments": {"key": "k", "seconds": 0}}
            status, body = await one.ask("tools/call", "act", params)
        finally:
            one.writer.close()
        return status, reply_in(body)

    async def serves(self):
        await until(lambda: is_healthy(self.port), "the front is connected")

        async def is_served():
            return "result" in (await self.call())[1]  # "no worker" before

        await until(is_served, "a call is answered")

    async def is_kept_out(self, front, why):
        async def has_said():
            return front.says("the bus is not connected: ") and front.says(why)

        await until(has_said, f"why there is no bus: {why}")
        self.assertFalse(await is_healthy(self.port))
        lines = front.log.read_text().splitlines()
        self.assertEqual(len(set(lines)), len(lines))  # each reason once

    async def test_passwords(self):
        await self.start_server(self.passwords())
        self.start_worker("worker:w@", *self.ca())
        front = self.start_front("front:f@", *self.ca())
        await self.serves()
        self.assertFalse(front.says("front:f"))

    async def test_credentials(self):
        realm = Realm(self.folder)
        await self.start_server(realm.configuration())
        for name, allowed in permissions().items():
            realm.write_credentials(self.folder / f"{name}.creds", allowed)
        self.start_worker("", *self.ca(), "--bus-credentials", str(self.folder / "worker.creds"))
        self.start_front("", *self.ca(), "--bus-credentials", str(self.folder / "front.creds"))
        await self.serves()

    async def test_client_certificates(self):
        self.tls += f', ca_file: "{self.folder}/ca.pem", verify_and_map: true'
        users = [{"user": f"{name}@fleet", "permissions": permissions()[name]} for name in ("front", "worker")]
        await self.start_server(f"authorization: {{ users: {json.dumps(users)} }}\n")
        for name in ("front", "worker"):
            self.authority.certify(name, f"email:{name}@fleet")
        files = {name: ["--client-certificate", str(self.folder / f"{name}.pem"), "--client-key",
                        str(self.folder / f"{name}.key")] for name in ("front", "worker")}
        self.start_worker("", *self.ca(), *files["worker"])
        self.start_front("", *self.ca(), *files["front"])
        await self.serves()

    async def test_a_client_certificate_of_nobody_is_kept_out(self):
        self.tls += f', ca_file: "{self.folder}/ca.pem", verify: true'
        await self.start_server("")
        await self.is_kept_out(self.start_front("", *self.ca()), "tls://127.0.0.1")

    async def test_a_server_of_another_authority_is_not_believed(self):
        await self.start_server(self.passwords())
        Authority(self.folder, "other")
        shutil.copy(self.folder / "other.pem", self.folder / "trusted.pem")
        self.start_worker("worker:w@", *self.ca())
        front = self.start_front("front:f@", *self.ca("trusted"))
        await self.is_kept_out(front, "unable to get local issuer certificate")
        shutil.copy(self.folder / "ca.pem", self.folder / "trusted.pem")
        await self.serves()

    async def test_a_server_of_another_name_is_not_believed(self):
        self.authority.certify("node", "DNS:elsewhere.example")
        await self.start_server(self.passwords())
        await self.is_kept_out(self.start_front("front:f@", *self.ca()), "address mismatch")

    async def test_a_wrong_password_is_refused(self):
        await self.start_server(self.passwords())
        front = self.start_front("front:wrong@", *self.ca())
        await self.is_kept_out(front, "Authorization Violation")
        self.assertFalse(front.says("wrong@"))
        _, reply = await self.call()
        self.assertEqual((-31001, {"reason": "bus unreachable"}), (reply["error"]["code"], reply["error"]["data"]))

    async def test_wrong_credentials_are_refused_until_they_are_right(self):
        realm, other = Realm(self.folder), self.folder / "other"
        other.mkdir()
        await self.start_server(realm.configuration())
        Realm(other).write_credentials(self.folder / "front.creds", permissions()["front"])
        realm.write_credentials(self.folder / "worker.creds", permissions()["worker"])
        self.start_worker("", *self.ca(), "--bus-credentials", str(self.folder / "worker.creds"))
        front = self.start_front("", *self.ca(), "--bus-credentials", str(self.folder / "front.creds"))
        await self.is_kept_out(front, "Authorization Violation")
        realm.write_credentials(self.folder / "front.creds", permissions()["front"])
        await self.serves()

    async def test_a_server_without_tls_gets_nothing(self):
        self.tls = ""
        config = self.folder / "plain.conf"
        config.write_text(f'listen: 127.0.0.1:{self.bus_port}\njetstream {{ store_dir: "{self.folder}/store" }}\n')
        self.start("nats", [NATS, "-c", str(config)])
        await self.is_kept_out(self.start_front("front:f@", *self.ca()), "tls://127.0.0.1")


unittest.main(argv=sys.argv[:1])
