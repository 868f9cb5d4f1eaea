"""conan create cmake/packaging/conan --build=missing -s compiler.cppstd=20"""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.scm import Version

ROOT = os.path.join("..", "..", "..")
OLDEST_COMPILERS = {"gcc": "12", "clang": "16"}


class Partyline(ConanFile):
    name = "partyline"
    description = "Concurrent JSON-RPC 2.0 over any Asio stream: servers and clients of MCP and LSP, HTTP, WebSocket and TLS"
    license = "BSL-1.0"
    url = homepage = "https://partyline.invalid" # as in partyline_packages.cmake: the address is that of the publisher
    topics = "json-rpc", "mcp", "model-context-protocol", "lsp", "language-server", "asio", "coroutines", "websocket"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "access": [True, False], "http": [True, False], "mcp": [True, False],
               "telemetry": [True, False], "tls": [True, False]}
    default_options = {"shared": False, "access": True, "http": True, "mcp": True, "telemetry": False, "tls": True}

    def set_version(self):
        config = load(self, os.path.join(self.recipe_folder, ROOT, "include", "partyline", "config.hpp"))
        self.version = re.search(r'PARTYLINE_VERSION_STRING "(.*)"', config)[1]

    def export_sources(self):
        for what in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "apps/*",
                     "cmake/*", "include/*", "lib/*", "test/bench/README.md", "test/bench/chart.svg", "test/manifest/README.md"):
            copy(self, what, os.path.join(self.recipe_folder, ROOT), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration(f"{self.name} is for Linux, and this is {self.settings.os}")
        oldest = OLDEST_COMPILERS.get(str(self.settings.compiler))
        if oldest is None or Version(self.settings.compiler.version) < oldest:
            raise ConanInvalidConfiguration(f"{self.name} needs g++ 12 or clang 16, or newer ones")
        check_min_cppstd(self, 20)

    def requirements(self):
        self.requires("boost/[>=1.81]", transitive_headers=True, transitive_libs=True)
        if self.options.access or self.options.http or self.options.mcp or self.options.tls:
            self.requires("openssl/[>=3 <4]")
        if self.options.telemetry:
            self.requires("prometheus-cpp/[>=1.0]", options={"with_pull": False, "with_push": False})

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for component in "access", "http", "mcp", "telemetry", "tls":
            toolchain.cache_variables[f"PARTYLINE_BUILD_{component.upper()}"] = bool(getattr(self.options, component))
        toolchain.cache_variables["PARTYLINE_BUILD_APPS"] = False
        toolchain.cache_variables["PARTYLINE_BUILD_FLEET"] = False # libnats is not among the packages that are used here
        toolchain.cache_variables["PARTYLINE_BUILD_TESTS"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_target_name", "partyline::all") # else it has the name of the first component
        self.describe("partyline", "core", ["boost::headers", "boost::json"])
        self.cpp_info.components["core"].system_libs = ["pthread"]
        for component, needs in (("access", "openssl::crypto"), ("http", "openssl::crypto"), ("mcp", "openssl::crypto"),
                                 ("telemetry", "prometheus-cpp::core"), ("tls", "openssl::ssl")):
            if getattr(self.options, component):
                self.describe(f"partyline_{component}", component, ["core", needs])
        if self.options.mcp: # these are archives in any case
            self.describe("partyline_mcp_extensions", "mcp_extensions", ["mcp", "openssl::crypto"])
            self.describe("partyline_mcp_test", "mcp_test", ["mcp"])

    def describe(self, library, name, needs):
        """A component has the same target and the same module of pkg-config as without Conan."""
        component = self.cpp_info.components[name]
        component.libs = [library]
        component.requires = needs
        component.set_property("cmake_target_name", "partyline::" + library.removeprefix("partyline_"))
        component.set_property("pkg_config_name", library.replace("_", "-"))
