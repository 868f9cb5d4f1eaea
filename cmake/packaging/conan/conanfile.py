"""conan create cmake/packaging/conan --build=missing -s compiler.cppstd=20"""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

ROOT = os.path.join("..", "..", "..")


class Partyline(ConanFile):
    name = "partyline"
    description = "Concurrent JSON-RPC 2.0 over any Asio stream"
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
        self.cpp_info.components["core"].libs = ["partyline"]
        self.cpp_info.components["core"].requires = ["boost::headers", "boost::json"]
        self.cpp_info.components["core"].system_libs = ["pthread"]
        self.cpp_info.components["core"].set_property("cmake_target_name", "partyline::partyline")
        for component, needs in (("access", "openssl::crypto"), ("http", "openssl::crypto"), ("mcp", "openssl::crypto"),
                                 ("telemetry", "prometheus-cpp::core"), ("tls", "openssl::ssl")):
            if getattr(self.options, component):
                self.cpp_info.components[component].libs = [f"partyline_{component}"]
                self.cpp_info.components[component].requires = ["core", needs]
                self.cpp_info.components[component].set_property("cmake_target_name", f"partyline::{component}")
        if self.options.mcp:
            self.cpp_info.components["mcp_extensions"].libs = ["partyline_mcp_extensions"]
            self.cpp_info.components["mcp_extensions"].requires = ["mcp", "openssl::crypto"]
            self.cpp_info.components["mcp_extensions"].set_property("cmake_target_name", "partyline::mcp_extensions")
            self.cpp_info.components["mcp_test"].libs = ["partyline_mcp_test"]
            self.cpp_info.components["mcp_test"].requires = ["mcp"]
            self.cpp_info.components["mcp_test"].set_property("cmake_target_name", "partyline::mcp_test")
