#!/usr/bin/env python3
"""What check_co_await.py finds, and what it lets pass: check_co_await_test.py <script> <scratch folder>"""

import importlib.util
import pathlib
import subprocess
import sys

# Each within a coroutine; what begins with "//top" stands by itself.
FAULTS = [
    'co_await call({this, 1});',
    'const auto x = co_await call("a", options{1});',
    'co_await call(\n "a",\n {});',
    'co_await call(list<list<int>>{});',
    'co_return co_await call(std::string{});',
    'if (co_await call(a) == point{1, 2})\n g();',
    'while (co_await call(one) == 0) {}',
    'while (co_await call(one) == 0) {\n }',
    'while (co_await call(one) == 0);',
    'point p{co_await call(one), 3};',
    'point p = {co_await call(one), 3};',
    'use(point{co_await call(one), 3}.x);',
    'co_return {co_await a(), co_await b()};',
    'co_await call([text] { return 1; });',
    'co_await call([text = std::move(t)] { return 1; });',
    'co_await call([=] { return 1; });',
    'co_await call([&, text](int a) -> int { return 1; }, 3);',
    'co_await [n = named](int) -> task<int> { co_return 1; }(3);',
    'co_await call(std::function<int()>([named] { return 1; }));',
    'auto x = c ? co_await a() : b;',
    'co_await (c ? a() : b());',
    'co_await call(c ? a : b);',
    'x = a[c ? 1 : 2] + co_await f();',
    'co_await f(a, [x = v[0]]{ return 1; });',
    'for (auto x : co_await f({1})) g();',
    'auto f = [&]() -> task<> { co_await g({1}); };',
    'spawn(ex, [self]() -> task<> { co_await g(point{1}); }, detached);',
    '//top\nstruct s { int a; task<> f() { co_await g({1}); } };',
    'if (a) co_await g({1}); else h();',
    'if (a) h(); else co_await g({1});',
    'const auto& x = co_await g(p{});',
    'case 1: { co_await g({}); }',
    'default: { co_await g({}); }',
    'co_yield co_await g({});',
    'if constexpr (x<int>) { co_await g({}); }',
    '//top\ntemplate <class T> task<T> f() { co_await g(T{}); }',
    '//top\nT& operator=(T&& o) noexcept { return *this; } task<> g() { co_await f({}); }',
    '//top\nvoid f(int a = 3) { x(); } struct y { task<> z() { co_await f({}); } };',
    'switch (co_await f({})) { case 1: break; }',
    '[[maybe_unused]] auto x = co_await f({});',
    'x(\'"\'); co_await f({}); y("\'");',
    'a = b; /* ; */ co_await\n  f({});',
    'auto made = [text]() -> task<int> { co_return 1; }();',
    'return [&text](int a) -> partyline::task<> { co_await f(text, a); }(3);',
    'co_spawn(ex, [this]() -> asio::awaitable<void> { co_await f(); }(), detached);',
    'run({[=]() mutable -> task<> { co_return; }()});',
]
FINE = [
    '//top\ntask<> f() && { co_await g(); h({1}); }',
    '//top\ntask<> f() const & { co_await g(); h({1}); }',
    '//top\ntemplate <class T> task<> f() requires c<T> { co_await g(); h({1}); }',
    'auto const& [a, b] = co_await f();',
    "x(L'{', u8'{'); co_await f();",
    'while (co_await call(one) == 0) {\n ++tries;\n }',
    'while (co_await call(one))\n ++tries;',
    'co_await call(one);',
    'if (co_await call(one)) {\n g({1});\n }',
    'if (co_await call(one)) g({1});',
    'co_await once("a", [] { return 1; });',
    'co_await once("a", [this](int) { return 1; });',
    'co_await [](int a) -> task<int> { co_return a; }(1);',
    'try {\n co_await call(one);\n } catch (...) {}',
    'co_await call(one); // {}',
    'co_await call("{}", \'{\', "a ? b : c");',
    'co_await call(R"({"a": {}})");',
    'co_await call(R"x(])" {} )x");',
    'auto f = [x] { return 1; }; co_await g(f);',
    'const auto [a, b] = co_await f();',
    'auto& [a, b] = co_await f();',
    'const auto&& [a, b] = co_await f();',
    'spawn(ex, [self, t = std::move(t)]() -> task<> { co_await g(); }, detached);',
    'point p{1, 2}; co_await f(p);',
    'const auto x = c ? 1 : 2; co_await f(x);',
    'co_await f([&] { return a ? point{1} : point{2}; });',
    'co_await f(a[i], b[j][k]);',
    'for (int i : {1, 2, 3}) { co_await f(i); }',
    'for (int i : {1, 2, 3}) co_await f(i);',
    'for (point p{1}; co_await f(p);) g({1});',
    'struct s { int a{1}; task<> f() { co_await g(); } };',
    'enum class e { a, b }; task<> f() { co_await g(); }',
    's() : a{1}, b{2} { h(); } task<> f() { co_await g(); }',
    'int a[]{1, 2}; co_await f(a);',
    'do { x = {1}; } while (co_await f());',
    'if (x) { y = {1}; } else { co_await f(); }',
    "co_await f(1'000'000, 2'000);",
    '#define X {1} \\\n  co_await f({})\nco_await g();',
    'switch (co_await f()) { case 1: g({1}); break; default: h({2}); }',
    'auto x = [] { return point{1}; }(); co_await f(x);',
    'template <class T> concept c = requires { T{}; }; task<> f() { co_await g(); }',
    'co_await f(std::array<int, 3>());',
    'x = {1}; y(); co_await f();',
    'co_await f([&x]() noexcept { return point{}; });',
    'co_await f([&x]() mutable -> std::vector<point> { return {}; });',
    'auto made = []() -> task<int> { co_return 1; }();',
    'auto sum = [text]() -> int { return 1; }();',
    'co_spawn(ex, [text]() -> task<> { co_return; }, detached);',
    'const int n = co_await [&]() -> task<int> { co_return 1; }();',
    'auto f = [text]() -> task<> { co_return; }; co_await f();',
]


def source_of(case):
    return case if case.startswith("//top") else "task<> f()\n{\n    " + case + "\n}\n"


def check_cases(faults_in):
    problems = ["not found: " + one for one in FAULTS if not faults_in(source_of(one))]
    return problems + [f"refused: {one}: {faults_in(source_of(one))}" for one in FINE if faults_in(source_of(one))]


def check_program(script, scratch):
    """Where faults are said to be, and which files are looked at."""
    (scratch / "src" / "build").mkdir(parents=True, exist_ok=True)
    bad, good = "task<> f() {\n  co_await g({});\n}\n", "task<> f() { co_await g(); }\n"
    files = {"src/a.cpp": good, "src/b.hpp": bad, "src/build/CMakeCache.txt": "", "src/build/c.cpp": bad,
             "src/d.txt": bad, "page.md": "{}\n```cpp\n" + bad + "```\n```sh\n" + bad + "```\n"}
    for name, text in files.items():
        (scratch / name).write_text(text)
    outcomes = []
    for paths in (["src"], ["src/a.cpp"], ["page.md"], ["src/build/CMakeCache.txt"], ["src/build/none"], []):
        ran = subprocess.run([sys.executable, "-B", script, *paths], cwd=scratch, capture_output=True, text=True,
                             check=False)
        outcomes.append((ran.returncode, [line.split(" error: ")[0] for line in ran.stderr.splitlines()]))
    wanted = [(1, ["src/b.hpp:2:"]), (0, []), (1, ["page.md:4:"]), (0, []),
              (2, ["check_co_await: no such file or folder: src/build/none"]),
              (2, ["check_co_await: no C++ source in nothing"])]
    return [f"got {got}, expected {want}" for got, want in zip(outcomes, wanted) if got != want]


def main(script, scratch):
    spec = importlib.util.spec_from_file_location("check_co_await", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    problems = check_cases(module.faults_in) + check_program(pathlib.Path(script).resolve(), pathlib.Path(scratch))
    print("\n".join(problems) or f"{len(FAULTS)} faults are found, and {len(FINE)} others pass")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
