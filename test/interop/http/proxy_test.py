"""MCP through a proxy that is set up by the guide: python3 proxy_test.py nginx|haproxy PAGE FIXTURE TOOLS."""

import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import proxy
from mcp_over_http import Answer, Session, modern_call
from server_process import Server, wait_until

# Tells of its first line, which is progress, and then has no end of its own.
ENDLESS = {"command": "sh", "arguments": ["-c", "echo begun; exec sleep 600"]}
SILENT = {"command": "sleep", "arguments": ["600"]}


class ThroughProxy(unittest.TestCase):
    def serve(self, *command):
        server = Server(*command)
        self.addCleanup(server.stop)
        self.proxy = PROXY(PAGE, server.port)
        self.addCleanup(self.proxy.stop)
        return server

    def serve_fixture(self):
        self.serve(FIXTURE, "--http", "127.0.0.1:0")
        return self.proxy.port

    def serve_tools(self, *more):
        root = tempfile.TemporaryDirectory()
        self.addCleanup(root.cleanup)
        return self.serve(TOOLS, "--root", root.name, "--allow-command", "sh", "--allow-command", "sleep",
                          "--http", "127.0.0.1:0", *more)

    def assert_text(self, reply, text):
        self.assertEqual(reply["result"]["content"][0]["text"], text)


class Sessions(ThroughProxy):
    def test_a_session_lasts_from_initialize_to_delete(self):
        session = Session(self.serve_fixture())
        self.assertEqual(session.greeting["serverInfo"]["name"], "partyline-mcp-fixture")
        with session.call(1, "test_simple_text") as answer:
            self.assert_text(answer.reply(), "This is a simple text response for testing.")
        with session.delete() as answer:
            self.assertEqual(answer.status, 204)
        with session.call(2, "test_simple_text") as answer:
            self.assertEqual(answer.status, 404)

    def test_progress_comes_while_the_call_goes_on(self):
        server = self.serve_tools()
        session = Session(self.proxy.port)
        with session.call(1, "run_command", ENDLESS) as answer:
            self.assertEqual(next(answer.messages())["params"]["message"], "begun")
            self.assertEqual(len(server.children()), 1)
            session.tell("notifications/cancelled", {"requestId": 1})
            wait_until(lambda: not server.children(), "the end of the command")

    # Events that wait for company would never come: each answer waits for its question.
    def test_questions_and_answers_alternate(self):
        session = Session(self.serve_fixture())
        with session.call(1, "ask_twice") as answer:
            messages = answer.messages()
            session.answer(next(messages), {"value": "one"})
            session.answer(next(messages), {"value": "two"})
            self.assert_text(next(messages), "First: one, second: two")

    def test_a_stream_that_is_lost_goes_on(self):
        session = Session(self.serve_fixture())
        with session.call(1, "ask_twice") as answer:
            last, question = next((id, message) for id, message in answer.events() if message)
        session.answer(question, {"value": "one"})
        with session.listen(last) as answer:
            messages = answer.messages()
            session.answer(next(messages), {"value": "two"})
            self.assert_text(next(messages), "First: one, second: two")

    def test_news_come_by_a_stream_of_their_own(self):
        session = Session(self.serve_fixture())
        with session.listen() as news:
            self.assertEqual((news.status, news.field("Content-Type")), (200, "text/event-stream"))
            with session.call(1, "test_trigger_tool_change"):
                self.assertEqual(next(news.messages())["method"], "notifications/tools/list_changed")
            with session.delete():
                self.assertEqual(list(news.messages()), [])


class WithoutSessions(ThroughProxy):
    def test_a_call_is_answered(self):
        with modern_call(self.serve_fixture(), 1, "echo", {"message": "ö"}) as answer:
            self.assertEqual((answer.status, answer.field("Content-Type")), (200, "application/json"))
            self.assert_text(answer.reply(), "ö")

    def test_progress_comes_before_the_reply(self):
        with modern_call(self.serve_fixture(), 1, "slow", {"steps": 3, "ms": 1}) as answer:
            *progress, reply = answer.messages()
        self.assertEqual([each["params"]["progress"] for each in progress], [1, 2, 3])
        self.assert_text(reply, "3 steps done")

    def test_fields_are_held_against_the_body(self):
        with modern_call(self.serve_fixture(), 1, "echo", {"message": "a"}, **{"Mcp-Name": "slow"}) as answer:
            self.assertEqual((answer.status, answer.reply()["error"]["code"]), (400, -32020))

    def test_a_long_request_passes(self):
        text = "x" * (3 << 20)
        with modern_call(self.serve_fixture(), 1, "echo", {"message": text}) as answer:
            self.assert_text(answer.reply(), text)

    def test_who_goes_away_between_events_cancels(self):
        server = self.serve_tools()
        with modern_call(self.proxy.port, 1, "run_command", ENDLESS) as answer:
            self.assertEqual(next(answer.messages())["params"]["message"], "begun")
            self.assertEqual(len(server.children()), 1)
        wait_until(lambda: not server.children(), "the end of the command")

    def test_who_goes_away_before_the_answer_cancels(self):
        server = self.serve_tools()
        answer = modern_call(self.proxy.port, 1, "run_command", SILENT)
        wait_until(server.children, "the command")
        answer.close()
        wait_until(lambda: not server.children(), "the end of the command")


class Health(ThroughProxy):
    def setUp(self):
        if PROXY is not proxy.Haproxy:
            self.skipTest("nginx as Debian has it makes no checks of its own")

    def test_a_server_gets_no_more_requests_once_it_ends(self):
        server = self.serve_tools("--http-drain-ms", "60000")
        self.proxy.wait_for_health(lambda state: state == ("L7OK", "200", "UP"))
        with modern_call(self.proxy.port, 1, "run_command", ENDLESS) as answer:
            next(answer.messages())
            server.begin_end()
            self.proxy.wait_for_health(lambda state: state[-1] == "DOWN")
            with modern_call(self.proxy.port, 2, "run_command", ENDLESS) as other:
                self.assertEqual(other.status, 503)
            self.assertEqual(len(server.children()), 1)  # what had begun goes on


if __name__ == "__main__":
    TOOLS, FIXTURE, PAGE, NAME = (sys.argv.pop() for _ in range(4))
    PROXY = {"nginx": proxy.Nginx, "haproxy": proxy.Haproxy}[NAME]
    unittest.main()
