#pragma once

#include <filesystem>
#include <string>

namespace bench {

/// A certificate for 127.0.0.1 and its key, made anew and good for a day, as PEM files in a folder that goes away with it.
class certificate {
public:
    /// Throws `failure`.
    certificate();
    ~certificate();
    certificate(const certificate&) = delete;
    certificate& operator=(const certificate&) = delete;

    std::string file() const { return (folder_ / "certificate.pem").string(); }
    std::string key_file() const { return (folder_ / "key.pem").string(); }

private:
    std::filesystem::path folder_;
};

} // namespace bench
