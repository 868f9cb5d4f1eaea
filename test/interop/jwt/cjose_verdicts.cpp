// Prints what libcjose says of the signatures of tokens: cjose_verdicts KEYS, as jwt_verdicts.cpp. It checks no claims,
// and knows no Ed25519. KEYS is a file with a JWK on each line; that of a token is the one whose id it names.

#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include <cjose/cjose.h>

namespace {

using key = std::unique_ptr<cjose_jwk_t, bool (*)(cjose_jwk_t*)>;
using token = std::unique_ptr<cjose_jws_t, void (*)(cjose_jws_t*)>;
using keys = std::map<std::string, key>;

keys read(const char* name)
{
    keys all;
    std::ifstream file(name);
    for (std::string line; std::getline(file, line);) {
        cjose_err error = {};
        key one(cjose_jwk_import(line.data(), line.size(), &error), cjose_jwk_release);
        if (const char* const id = one ? cjose_jwk_get_kid(one.get(), &error) : nullptr)
            all.emplace(id, std::move(one));
    }
    return all;
}

bool is_signed(const std::string& text, const keys& all)
{
    cjose_err error = {};
    const token read(cjose_jws_import(text.data(), text.size(), &error), cjose_jws_release);
    if (!read)
        return false;
    const char* const id = cjose_header_get(cjose_jws_get_protected(read.get()), CJOSE_HDR_KID, &error);
    const auto found = id ? all.find(id) : all.end();
    return found != all.end() && cjose_jws_verify(read.get(), found->second.get(), &error);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2)
        return 2;
    const keys all = read(argv[1]);
    for (std::string text; std::getline(std::cin, text);)
        std::cout << (is_signed(text, all) ? "good\n" : "bad\n");
}
