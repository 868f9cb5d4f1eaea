#pragma once

#include "support/descriptors.hpp"
#include "support/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <tools/files/file_reader.hpp>
#include <tools/files/root_folder.hpp>
#include <unistd.h>

namespace tools::test {

/// A folder that is a root, and one beside it that is none of the tools' business.
struct folders {
    folders()
    {
        std::filesystem::create_directories(root / "deep/er");
        std::filesystem::create_directory(outside);
        write("a.txt", "within\n");
        write("deep/b.txt", "deep within\n");
        partyline::test::write_file(outside / "secret.txt", "secret\n");
    }

    void write(std::string_view path, std::string_view content) const
    {
        std::filesystem::create_directories((root / path).parent_path());
        partyline::test::write_file(root / path, content);
    }
    /// Of a file with this content.
    file_reader reader_of(std::string_view content, stop_check is_stopped = {}) const
    {
        write("file", content);
        return file_reader(root_folder(root).open_file("file"), "file", std::uint64_t(1) << 30, std::move(is_stopped));
    }
    void link(const std::filesystem::path& target, std::string_view path) const
    {
        std::filesystem::create_symlink(target, root / path);
    }

    partyline::test::scratch_directory scratch;
    std::filesystem::path root = std::filesystem::canonical(scratch / "") / "root";
    std::filesystem::path outside = root.parent_path() / "outside";
};

/// For tests of what may not be read. (Also where CI is set: there, too, the tests may run as root.)
inline boost::test_tools::assertion_result may_not_read_everything(boost::unit_test::test_unit_id)
{
    boost::test_tools::assertion_result known(::geteuid() != 0);
    known.message() << "root may read everything";
    return known;
}

/// All of a file.
inline std::string content_of(opened_file opened, std::string_view shown = "it")
{
    file_reader reader(std::move(opened), std::string(shown), 1 << 30);
    std::string all(reader.size() + 1, '\0');
    all.resize(reader.read(all.data(), all.size()));
    return all;
}

} // namespace tools::test
