#define BOOST_TEST_MODULE lsp
#include <boost/test/unit_test.hpp>
