"""That the checks of the pages find what is wrong: python3 finds_faults_test.py COMPILER."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import check_links
import extract
from markdown import Fault
from run_page import Run

COMPILER = sys.argv.pop()
LIST = "# Guide\n\n[one](one.md)\n"


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        (self.root / "apps/guide").mkdir(parents=True)
        self.write("README.md", "# It\n\n[guide](apps/guide/README.md#guide)\n")
        self.write("apps/guide/README.md", LIST)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class Links(Pages):
    def problems(self, page):
        self.write("apps/guide/one.md", page)
        return check_links.check(self.root)[0]

    def test_what_is_right_is_taken(self):
        page = "# Of *one*: `two`, three\n\n[a](#of-one-two-three) [b](../../README.md) [c](https://x.invalid/y#z)\n"
        self.assertEqual(self.problems(page + "```sh\n[no](link)\n```\n`[nor](this)`\n"), [])

    def test_a_file_that_is_not_there(self):
        self.assertEqual(self.problems("# One\n\nsee [two](two.md)\n"), ["apps/guide/one.md:3: leads nowhere: two.md"])

    def test_a_link_over_two_lines(self):
        self.assertEqual(self.problems("# One\n\nsee [the second\none](two.md)\n"), ["apps/guide/one.md:3: leads nowhere: two.md"])

    def test_a_heading_that_is_not_there(self):
        self.assertEqual(self.problems("# One\n\n[a](#two)\n"), ["apps/guide/one.md:3: no such heading: #two"])
        self.assertEqual(self.problems("# One\n[a](README.md#two)\n"), ["apps/guide/one.md:2: no such heading: README.md#two"])

    def test_an_image_and_a_link_by_reference(self):
        found = self.problems('# One\n![a](a.svg)\n<img src="b.svg">\n\n[c]: c.md\n')
        self.assertEqual(sorted(each.rpartition(" ")[2] for each in found), ["a.svg", "b.svg", "c.md"])

    def test_a_way_out_of_the_project(self):
        self.assertEqual(self.problems("# One\n[a](../../..)\n"), ["apps/guide/one.md:2: leads out of the project: ../../.."])

    def test_a_page_that_is_too_long(self):
        self.assertEqual(self.problems("# One\n" * 151), ["apps/guide/one.md: 151 lines, 150 at most"])

    def test_a_page_that_nobody_lists(self):
        self.write("apps/guide/two.md", "# Two\n")
        self.assertEqual(self.problems("# One\n"), ["apps/guide/README.md does not list two.md"])


class Cpp(Pages):
    def extract(self, page):
        self.write("apps/guide/one.md", page)
        extract.main(self.root, self.root / "out")

    def fault(self, page):
        with self.assertRaises(Fault) as caught:
            self.extract(page)
        return str(caught.exception)

    def compile(self, source):
        done = subprocess.run([COMPILER, "-fsyntax-only", str(self.root / "out" / source)], capture_output=True, text=True,
                              check=False)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def test_an_error_of_the_compiler_names_page_and_line(self):
        self.extract("# One\n\n<!-- program: a -->\n```cpp\nint main()\n{\n    wrong;\n}\n```\n```sh\n./a\n```\n")
        self.assertIn("apps/guide/one.md:7:", self.compile("a.cpp"))

    def test_an_error_in_a_snippet_names_page_and_line_and_one_behind_it_the_prologue(self):
        self.write("test/guide/prologues/p.cpp", "int main()\n{\n    // snippet: part\n    worse;\n}\n")
        self.extract("# One\n\n<!-- snippet: p.part -->\n```cpp\nwrong;\n```\n<!-- run: ./p -->\n")
        errors = self.compile("p.cpp")
        self.assertIn("apps/guide/one.md:5:", errors)
        self.assertIn("test/guide/prologues/p.cpp:4:", errors)

    def test_code_of_which_nothing_is_said(self):
        self.assertIn("one.md:3: nothing above the block says", self.fault("# One\n```cpp\nint a;\n```\n"))

    def test_a_comment_with_a_mistake(self):
        self.assertIn("one.md:2: no comment that the tests know", self.fault("# One\n<!-- prgm: a -->\n"))

    def test_a_snippet_without_a_place(self):
        self.write("test/guide/prologues/p.cpp", "int main() {}\n")
        self.assertIn("has no place for p.x", self.fault("# One\n<!-- snippet: p.x -->\n```cpp\nint a;\n```\n"))

    def test_an_excerpt_that_is_none(self):
        self.write("lib/a.cpp", "int a;\nint b;\nint c;\n")
        page = "# One\n<!-- excerpt: lib/a.cpp -->\n```cpp\n{}```\n"
        self.extract(page.format("int a;\n// ...\nint c;\n"))
        self.assertIn("one.md:4: lib/a.cpp does not have", self.fault(page.format("int a;\nint c;\n")))
        self.assertIn("one.md:4: lib/a.cpp does not have", self.fault(page.format("int a\n")))

    def test_a_program_that_nobody_runs(self):
        with self.assertRaisesRegex(SystemExit, r"run \./a"):
            self.extract("<!-- program: a -->\n```cpp\nint main() {}\n```\n")


class Commands(Pages):
    def failed(self, page):
        path = self.write("apps/guide/one.md", page)
        options = SimpleNamespace(build=self.root, programs=self.root / "programs", prefix=None, folder=None)
        return [str(each) for each in Run(path, options).run()]

    def test_what_is_right_is_taken(self):
        page = "```sh\necho one\\\n two; echo 3\n```\n```text\none two\n3\n```\n<!-- not run: why -->\n```sh\nfalse\n```\n"
        self.assertEqual(self.failed(page), [])
        self.assertEqual(self.failed("```sh\necho a b c; echo d; echo e\n```\n```text\na … c\n…\n```\n"), [])

    def test_other_output(self):
        self.assertIn("one.md:5: promised\ntwo\nprinted\none\n", self.failed("```sh\necho one\n```\n```text\ntwo\n```\n")[0])
        self.assertTrue(self.failed("```sh\necho one; echo two\n```\n```text\none\n```\n"))

    def test_a_command_that_fails(self):
        self.assertIn("one.md:5: exit code 1", self.failed("```sh\ntrue\n```\n```sh\nfalse\n```\n")[0])

    def test_a_hidden_command_is_run(self):
        self.assertIn("one.md:1: exit code 3", self.failed("<!-- run: exit 3 -->\n")[0])

    def test_a_server_is_waited_for_and_ended(self):
        server = "python3 -m http.server 8000 --bind 127.0.0.1 >log 2>&1 &\n"
        page = f"```sh\n{server}python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", 8000))'; echo there\n```\n"
        self.assertEqual(self.failed(page + "```text\nthere\n```\n"), [])


if __name__ == "__main__":
    unittest.main()
