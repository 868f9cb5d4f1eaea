"""The recipes for Conan and vcpkg have the same libraries, licence and version as what is installed: python3 recipes_test.py SOURCES.
Neither program is needed: Conan is played here, as far as the recipe asks it for anything."""

import json
import re
import sys
import types
import unittest
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True

PACKAGED_NEITHER_WAY = {"partyline_fleet"}  # its libnats is in neither collection as it is needed here
COMPONENTS = ["access", "http", "mcp", "telemetry", "tls"]  # what can be chosen


def read(path):
    return (SOURCES / path).read_text(encoding="utf-8")


def installed_libraries():
    """The libraries that CMake installs, each with its module of pkg-config."""
    return dict(re.findall(r"partyline_install_library\((\w+)\s+name ([\w-]+)", read("cmake/partyline_install.cmake")))


class Invalid(Exception):
    pass


class Described:
    """`cpp_info`, and a component of it."""

    def __init__(self):
        self.libs, self.requires, self.system_libs, self.properties = [], [], [], {}
        self.components = defaultdict(Described)

    def set_property(self, name, value):
        self.properties[name] = value


class Number:
    """A version that can be compared with a text."""

    def __init__(self, text):
        self.parts = [int(part) for part in str(text).split(".")]

    def __lt__(self, text):
        return self.parts < [int(part) for part in text.split(".")]


def load_recipe(path):
    modules = {
        "conan": {"ConanFile": object},
        "conan.errors": {"ConanInvalidConfiguration": Invalid},
        "conan.tools": {},
        "conan.tools.build": {"check_min_cppstd": lambda recipe, standard: None, "can_run": lambda recipe: True},
        "conan.tools.cmake": dict.fromkeys(["CMake", "CMakeDeps", "CMakeToolchain", "cmake_layout"]),
        "conan.tools.files": {"copy": None, "load": lambda recipe, file: Path(file).read_text(encoding="utf-8")},
        "conan.tools.scm": {"Version": Number},
    }
    for name, members in modules.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)
    names = {}
    exec(compile(read(path), path, "exec"), names)  # pylint: disable=exec-used
    return names


class Conan(unittest.TestCase):
    def setUp(self):
        self.recipe = load_recipe("cmake/packaging/conan/conanfile.py")["Partyline"]()
        self.recipe.recipe_folder = str(SOURCES / "cmake/packaging/conan")
        self.recipe.options = types.SimpleNamespace(**dict.fromkeys(COMPONENTS, True))
        self.recipe.cpp_info = Described()

    def test_every_installed_library_is_a_component_of_the_same_names(self):
        self.recipe.package_info()
        described = {one.libs[0]: one for one in self.recipe.cpp_info.components.values()}
        expected = {name: module for name, module in installed_libraries().items() if name not in PACKAGED_NEITHER_WAY}
        self.assertGreater(len(expected), 6)
        self.assertEqual({name: one.properties["pkg_config_name"] for name, one in described.items()}, expected)
        for name, one in described.items():
            self.assertEqual(one.properties["cmake_target_name"], "partyline::" + name.removeprefix("partyline_"))
            for needed in one.requires:
                self.assertTrue("::" in needed or needed in self.recipe.cpp_info.components, needed)

    def test_a_component_that_is_not_wanted_is_not_there(self):
        for left_out in COMPONENTS:
            with self.subTest(left_out=left_out):
                self.recipe.options = types.SimpleNamespace(**{one: one != left_out for one in COMPONENTS})
                self.recipe.cpp_info = Described()
                self.recipe.package_info()
                self.assertNotIn(left_out, self.recipe.cpp_info.components)
                self.assertEqual("mcp_extensions" in self.recipe.cpp_info.components, left_out != "mcp")

    def test_what_a_collection_asks_for_is_there(self):
        self.recipe.set_version()
        self.assertEqual(self.recipe.version, json.loads(read("cmake/packaging/vcpkg/partyline/vcpkg.json"))["version"])
        self.assertEqual(self.recipe.license, "BSL-1.0")
        self.assertIn("Boost Software License - Version 1.0", read("LICENSE"))
        self.assertTrue(self.recipe.url and self.recipe.homepage and len(self.recipe.topics) > 3)

    def test_systems_and_compilers_that_it_is_not_for_are_refused(self):
        rows = [("Linux", "gcc", "12", True), ("Linux", "clang", "19", True), ("Linux", "gcc", "12.2", True),
                ("Windows", "msvc", "194", False), ("Macos", "apple-clang", "17", False), ("Linux", "gcc", "11", False),
                ("Linux", "clang", "15", False), ("Linux", "intel-cc", "2023", False), ("FreeBSD", "clang", "19", False)]
        for system, compiler, version, is_taken in rows:
            with self.subTest(system=system, compiler=compiler, version=version):
                self.recipe.settings = types.SimpleNamespace(os=system, compiler=Compiler(compiler, version))
                if is_taken:
                    self.recipe.validate()
                else:
                    self.assertRaises(Invalid, self.recipe.validate)

    def test_the_package_is_tried_with_each_component(self):
        tried = read("cmake/packaging/conan/test_package/CMakeLists.txt")
        source = read("cmake/packaging/conan/test_package/test_package.cpp")
        # The schemas of mcp_test, and prometheus-cpp, cost more than a try is worth.
        for component in ["access", "http", "mcp", "mcp_extensions", "tls"]:
            self.assertRegex(tried, rf"IN ITEMS [\w ]*\b{component}\b")
            self.assertIn(f"#ifdef HAS_{component}\n", source)
        self.assertIn("test", vars(load_recipe("cmake/packaging/conan/test_package/conanfile.py")["PartylineTest"]))


class Compiler(str):
    def __new__(cls, name, version):
        made = super().__new__(cls, name)
        made.version = version
        return made


class Vcpkg(unittest.TestCase):
    def setUp(self):
        self.port = json.loads(read("cmake/packaging/vcpkg/partyline/vcpkg.json"))

    def test_every_component_is_a_feature_that_the_port_passes_on(self):
        self.assertEqual(sorted(self.port["features"]), COMPONENTS)
        passed = re.findall(r"^ +(\w+) PARTYLINE_BUILD_(\w+)", read("cmake/packaging/vcpkg/partyline/portfile.cmake"), re.MULTILINE)
        self.assertEqual(passed, [(one, one.upper()) for one in COMPONENTS])

    def test_every_target_is_named_in_its_usage(self):
        usage = read("cmake/packaging/vcpkg/partyline/usage")
        for library in installed_libraries().keys() - PACKAGED_NEITHER_WAY:
            self.assertRegex(usage, rf"partyline::{library.removeprefix('partyline_')}\b")

    def test_every_library_of_boost_that_is_included_is_asked_for(self):
        included = set()
        for folder in ("include", "lib"):
            for file in (SOURCES / folder).rglob("*.[ch]pp"):
                included |= set(re.findall(r"#include <boost/([a-z_0-9]+)", file.read_text(encoding="utf-8")))
        wanted = {f"boost-{name.replace('_', '-')}" for name in included - {"version"}}  # which boost-config has
        self.assertEqual({one for one in self.port["dependencies"] if isinstance(one, str)}, wanted)

    def test_it_is_for_linux_under_the_same_licence(self):
        self.assertEqual((self.port["supports"], self.port["license"]), ("linux", "BSL-1.0"))


if __name__ == "__main__":
    SOURCES = Path(sys.argv.pop(1)).resolve()
    unittest.main()
