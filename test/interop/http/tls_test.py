"""curl and openssl as clients of partyline-echo over TLS: python3 tls_test.py PARTYLINE_ECHO PARTYLINE_CALL."""

import contextlib
import http.client
import json
import os
import resource
import signal
import socket
import ssl
import subprocess
import sys
import threading
import unittest

sys.dont_write_bytecode = True

from certificates import Certificates
from server_process import PATIENCE, Server, wait_until

CURL = ["curl", "-q", "--noproxy", "*", "--silent", "--show-error", "--max-time", str(PATIENCE),
        "--write-out", "%{stderr}%{json}\n"]
ADD = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "add", "params": [2, 40]})
ASK = f"POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n" \
      f"Content-Length: {len(ADD)}\r\n\r\n{ADD}"
SUM = {"jsonrpc": "2.0", "id": 1, "result": 42}
TLS_RECORD = b"\x16\x03"
BREAKS = (35, 52, 56)  # of curl: the handshake has failed, nothing has come, receiving has failed

CERTIFICATES = Certificates("localhost", "other.example", "client")
STRANGERS = Certificates("client")
unittest.addModuleCleanup(CERTIFICATES.remove)
unittest.addModuleCleanup(STRANGERS.remove)


class WithServer(unittest.TestCase):
    names = ("localhost",)
    more = ()

    def setUp(self):
        self.server = Server(ECHO, "--listen", "127.0.0.1:0", *CERTIFICATES.options(*self.names), *self.more)
        self.addCleanup(self.server.stop)

    def try_curl(self, *arguments, scheme="https", host="localhost"):
        """How curl ends, what is in the answer, and what it knows of the transfer."""
        there = f"{host}:{self.server.port}:127.0.0.1"
        run = subprocess.run([*CURL, "--cacert", CERTIFICATES.ca, "--resolve", there, "--json", ADD, *arguments,
                              f"{scheme}://{host}:{self.server.port}/rpc"], text=True, capture_output=True)
        facts = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
        return run.returncode, run.stdout, facts[-1]

    def curl(self, *arguments, **where):
        code, content, facts = self.try_curl(*arguments, **where)
        self.assertEqual(code, 0, facts)
        return content, facts

    def assert_answered(self, *arguments, **where):
        content, facts = self.curl(*arguments, **where)
        self.assertEqual((facts["http_code"], json.loads(content)), (200, SUM))
        return facts

    def openssl(self, *arguments, sent="", typed=""):
        """How `openssl s_client` ends, and what it says, of what has come to it as well. What is typed may be a command to it."""
        command = ["openssl", "s_client", "-connect", f"127.0.0.1:{self.server.port}", "-CAfile", CERTIFICATES.ca,
                   "-verify_return_error", "-ign_eof" if sent else "-no_ign_eof", *arguments]
        run = subprocess.run(command, input=(sent + typed).encode(), capture_output=True, timeout=PATIENCE)
        return run.returncode, (run.stdout + run.stderr).decode(errors="replace")


class Versions(WithServer):
    def test_https_is_answered(self):
        facts = self.assert_answered()
        self.assertEqual((facts["scheme"], facts["ssl_verify_result"], facts["http_version"]), ("HTTPS", 0, "1.1"))

    def test_both_versions_are_spoken(self):
        for version in ("1.2", "1.3"):
            with self.subTest(version=version):
                self.assert_answered(f"--tlsv{version}", "--tls-max", version)
                _, said = self.openssl(f"-tls{version.replace('.', '_')}")
                self.assertIn(f"New, TLSv{version}, Cipher is ", said)
                self.assertIn("Verify return code: 0 (ok)", said)

    # Security level 0, since the system's policy would not have them asked for.
    def test_older_versions_are_refused(self):
        for version in ("tls1", "tls1_1"):
            with self.subTest(version=version):
                code, said = self.openssl(f"-{version}", "-cipher", "ALL:@SECLEVEL=0")
                self.assertNotEqual(code, 0)
                self.assertIn("alert protocol version", said)

    def test_weak_ciphers_are_refused(self):
        for cipher in ("NULL", "AES128-SHA", "DES-CBC3-SHA"):
            with self.subTest(cipher=cipher):
                code, _ = self.openssl("-tls1_2", "-cipher", f"{cipher}:@SECLEVEL=0")
                self.assertNotEqual(code, 0)

    def test_http_1_1_is_agreed_on(self):
        _, said = self.openssl("-alpn", "h2,http/1.1")
        self.assertIn("ALPN protocol: http/1.1", said)
        _, said = self.openssl()
        self.assertIn("No ALPN negotiated", said)
        self.assertEqual(self.assert_answered("--http2")["http_version"], "1.1")

    def test_http_2_alone_is_refused(self):
        code, said = self.openssl("-alpn", "h2")
        self.assertNotEqual(code, 0)
        self.assertIn("alert no application protocol", said)

    def test_a_session_is_resumed(self):
        file = CERTIFICATES.path("session")
        for version in ("-tls1_2", "-tls1_3"):
            with self.subTest(version=version):
                _, said = self.openssl(version, "-sess_out", file, sent=ASK)
                self.assertIn(json.dumps(SUM, separators=(",", ":")), said)
                _, said = self.openssl(version, "-sess_in", file, sent=ASK)
                self.assertIn(json.dumps(SUM, separators=(",", ":")), said)
                self.assertIn("\nReused, TLS", said)

    def test_a_client_may_not_renegotiate(self):
        _, said = self.openssl("-tls1_2", typed="R\n")
        self.assertIn("RENEGOTIATING", said)
        self.assertIn("no renegotiation", said)
        self.assert_answered()

    def test_sessions_are_spoken_within(self):
        context = ssl.create_default_context(cafile=CERTIFICATES.ca)
        framed = f"Content-Length: {len(ADD)}\r\n\r\n{ADD}"
        for sent in (f"{ADD}\n", framed):
            with self.subTest(sent=sent), socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as plain:
                with context.wrap_socket(plain, server_hostname="localhost") as stream:
                    stream.sendall(sent.encode())
                    reply = stream.recv(1000).decode()
                    self.assertEqual(json.loads(reply[reply.index("{"):]), SUM)


class Names(WithServer):
    names = ("localhost", "other.example")
    more = ("--allow-host", "other.example")

    def subject(self, *arguments):
        code, said = self.openssl(*arguments)
        self.assertEqual(code, 0, said)
        return next(line for line in said.splitlines() if line.startswith("subject="))

    # When all who were there were told, this one was not there yet.
    def test_a_session_that_begins_when_the_server_ends_is_ended(self):
        come, gone = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = ssl.create_default_context(cafile=CERTIFICATES.ca).wrap_bio(come, gone, server_hostname="localhost")
        there = ("127.0.0.1", self.server.port)
        with socket.create_connection(there, PATIENCE) as plain:
            self.assertRaises(ssl.SSLWantReadError, tls.do_handshake)
            plain.sendall(gone.read())
            come.write(plain.recv(65536))
            self.server.begin_end()
            with socket.socket() as late:
                wait_until(lambda: late.connect_ex(there) != 0, "nobody is let in any more")
            while True:
                try:
                    tls.do_handshake()
                    break
                except ssl.SSLWantReadError:
                    come.write(plain.recv(65536))
            tls.write(ADD.encode() + b"\n")
            plain.sendall(gone.read())
            while plain.recv(1000):  # less than the time to end in
                pass
        self.server.process.wait(PATIENCE)

    def test_the_host_that_is_asked_for_tells_which_certificate(self):
        self.assertIn("localhost", self.subject("-servername", "localhost"))
        self.assertIn("other.example", self.subject("-servername", "other.example"))
        self.assertIn("other.example", self.subject("-servername", "OTHER.example"))
        self.assertIn("localhost", self.subject("-servername", "unknown.example"))  # the first one
        self.assertIn("localhost", self.subject("-noservername"))
        for host in self.names:
            with self.subTest(host=host):
                self.assert_answered(host=host)

    def test_a_host_that_has_none_is_not_believed(self):
        self.assertEqual(self.try_curl(host="unknown.example")[0], 60)  # curl: the certificate is not for that


class RefusesPlain:
    """For a server that lets nobody in without TLS."""

    def test_plain_http_is_told_that_it_is_not_spoken(self):
        content, facts = self.curl(scheme="http")
        self.assertEqual(facts["http_code"], 400)
        self.assertIn("this port speaks TLS alone", content)

    def test_plain_sessions_are_closed(self):
        for sent in (f"{ADD}\n", f"Content-Length: {len(ADD)}\r\n\r\n{ADD}"):
            with self.subTest(sent=sent), socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as plain:
                plain.sendall(sent.encode())
                self.assertEqual(plain.recv(1000), b"")


class TlsAlone(RefusesPlain, WithServer):
    more = ("--tls-only",)

    def test_https_is_answered(self):
        self.assert_answered()


class Clients(RefusesPlain, WithServer):
    more = ("--tls-client-ca", CERTIFICATES.ca)

    def shown(self, certificate, key):
        return ["--cert", certificate, "--key", key]

    def test_who_has_a_certificate_of_the_ca_is_let_in(self):
        for version in ("1.2", "1.3"):
            with self.subTest(version=version):
                self.assert_answered("--tls-max", version, *self.shown(*CERTIFICATES.of("client")))

    def test_who_has_none_is_refused(self):
        for version in ("1.2", "1.3"):
            with self.subTest(version=version):
                code, content, _ = self.try_curl("--tls-max", version)
                self.assertIn((code in BREAKS, content), [(True, "")])

    def test_who_has_one_of_strangers_is_refused(self):
        for version in ("1.2", "1.3"):
            with self.subTest(version=version):
                code, content, _ = self.try_curl("--tls-max", version, *self.shown(*STRANGERS.of("client")))
                self.assertEqual((code in BREAKS, content), (True, ""))
        self.assert_answered(*self.shown(*CERTIFICATES.of("client")))

    def test_who_comes_back_shows_it_again(self):
        file = CERTIFICATES.path("session")
        certificate, key = CERTIFICATES.of("client")
        shown = ("-cert", certificate, "-key", key, "-sess_out", file)
        for version in ("-tls1_2", "-tls1_3"):
            with self.subTest(version=version):
                _, said = self.openssl(version, *shown, sent=ASK)
                self.assertIn(json.dumps(SUM, separators=(",", ":")), said)
                _, said = self.openssl(version, *shown[:4], *(("-sess_in", file) if os.path.exists(file) else ()), sent=ASK)
                self.assertIn(json.dumps(SUM, separators=(",", ":")), said)
                self.assertNotIn("\nReused, TLS", said)

    def test_they_are_told_why(self):
        _, said = self.openssl("-tls1_2")
        self.assertIn("alert handshake failure", said)
        certificate, key = STRANGERS.of("client")
        _, said = self.openssl("-tls1_2", "-cert", certificate, "-key", key)
        self.assertIn("alert unknown ca", said)


class OnOnePort(WithServer):
    def test_http_without_tls_is_served_as_well(self):
        self.assert_answered(scheme="http")

    def test_what_is_neither_is_closed(self):
        for sent in (TLS_RECORD + b"\x01\x00\x05hello", b"\x80\x2e\x01\x03\x01", b"\x16\x03\x01\xff\xff" + b"x" * 100):
            with self.subTest(sent=sent), socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as plain:
                plain.settimeout(3)  # less than a handshake, or the first bytes, may take
                plain.sendall(sent)
                while plain.recv(1000):
                    pass
        self.assert_answered()

    # More than may be under way: the oldest give way, and nobody honest waits for them.
    def test_a_thousand_stalled_handshakes_harm_nobody(self):
        with contextlib.ExitStack() as clients:
            for number in range(1000):
                plain = clients.enter_context(socket.create_connection(("127.0.0.1", self.server.port), PATIENCE))
                plain.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
                if number % 100 == 99:
                    self.assert_answered()
            wait_until(lambda: self.server.descriptors() < 400, "the oldest have given way")

    def test_a_handshake_that_ends_early_harms_nobody(self):
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as plain:
                plain.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        self.assert_answered()


class WithoutTls(unittest.TestCase):
    def test_who_begins_with_tls_is_told_that_it_is_not_spoken(self):
        server = Server(ECHO, "--listen", "127.0.0.1:0")
        self.addCleanup(server.stop)
        run = subprocess.run([*CURL, "--insecure", f"https://127.0.0.1:{server.port}/rpc"], capture_output=True)
        self.assertEqual(run.returncode, 35, run.stderr)  # curl: no handshake
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as plain:
            plain.sendall(TLS_RECORD + b"\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
            answer = b"".join(iter(lambda: plain.recv(1000), b""))
        self.assertTrue(answer.startswith((b"HTTP/1.1 400 ", b"\x15\x03")), answer)


class BehindProxy(WithServer):
    more = ("--proxy-protocol", "--allow-host", "localhost", "--access-log", "-")

    def test_who_says_from_where_it_comes_is_answered(self):
        for scheme in ("http", "https"):
            with self.subTest(scheme=scheme):
                self.assert_answered("--haproxy-protocol", scheme=scheme)
        self.assertEqual(len(wait_until(lambda: [line for line in self.server.said if '"/rpc"' in line][1:], "the log")), 1)

    def test_who_does_not_say_is_not_answered(self):
        for scheme in ("http", "https"):
            with self.subTest(scheme=scheme):
                code, content, _ = self.try_curl(scheme=scheme)
                self.assertEqual((code in BREAKS, content), (True, ""))


class Reload(WithServer):
    requests = 500  # one after the other, by each kind of client
    many = 20000  # of a client that makes some at once: some thousands a second

    def serial(self):
        context = ssl.create_default_context(cafile=CERTIFICATES.ca)
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as plain:
            with context.wrap_socket(plain, server_hostname="localhost") as stream:
                return stream.getpeercert()["serialNumber"]

    def ask(self, connection):
        connection.request("POST", "/rpc", ADD, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        self.assertEqual((answer.status, json.load(answer)), (200, SUM))

    def connect(self, context):
        return http.client.HTTPSConnection("localhost", self.server.port, timeout=PATIENCE, context=context)

    # Fails at the first request that does.
    def make_requests(self, keeps, faults):
        try:
            context = ssl.create_default_context(cafile=CERTIFICATES.ca)
            connection = self.connect(context)
            for _ in range(self.requests):
                self.ask(connection)
                if not keeps:
                    connection.close()
                    connection = self.connect(context)
            connection.close()
        except Exception as fault:
            faults.append(fault)

    def begin_many(self):
        url = f"https://localhost:{self.server.port}/rpc"
        return subprocess.Popen([CALL, url, "add", "a=2", "b=40", "--repeat", str(self.many), "--concurrency", "8", "--tls-ca",
                                 CERTIFICATES.ca], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def reload(self):
        before = len(self.server.said)
        self.server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: len(self.server.said) > before, "the answer to SIGHUP")
        return self.server.said[before]

    def test_no_request_fails_while_certificates_are_read_again(self):
        faults = []
        loops = [threading.Thread(target=self.make_requests, args=(keeps, faults)) for keeps in (True, False)]
        serials = {self.serial()}
        for loop in loops:
            loop.start()
        clients = self.begin_many()
        self.addCleanup(clients.kill)
        while any(loop.is_alive() for loop in loops) or clients.poll() is None:
            CERTIFICATES.add("localhost")
            self.assertIn("were read again", self.reload())
            serials.add(self.serial())
        self.assertEqual(faults, [])
        said, _ = clients.communicate(timeout=PATIENCE)
        self.assertEqual(clients.returncode, 0, said)
        self.assertGreater(len(serials), 3)

    def test_a_file_that_can_not_be_used_changes_nothing(self):
        before = self.serial()
        certificate, _ = CERTIFICATES.of("localhost")
        with open(certificate, "rb+") as file:
            whole = file.read()
            file.truncate(100)
            self.assertIn("stay as they are", self.reload())
            self.assertEqual(self.serial(), before)
            file.seek(0)
            file.write(whole)
        self.assertIn("were read again", self.reload())
        self.assert_answered()


if __name__ == "__main__":
    CALL = sys.argv.pop()
    ECHO = sys.argv.pop()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most), most))
    unittest.main()
