# Third-party libraries, linked statically so that what ships needs libc and libm only.
find_path(LIBDEFLATE_INCLUDE_DIR libdeflate.h REQUIRED)
find_library(LIBDEFLATE_LIBRARY NAMES libdeflate.a REQUIRED)
add_library(libdeflate STATIC IMPORTED)
set_target_properties(libdeflate PROPERTIES IMPORTED_LOCATION ${LIBDEFLATE_LIBRARY}
                      INTERFACE_INCLUDE_DIRECTORIES "${LIBDEFLATE_INCLUDE_DIR}")

find_path(CRYPTO_INCLUDE_DIR openssl/sha.h REQUIRED)
find_library(CRYPTO_LIBRARY NAMES libcrypto.a REQUIRED)
add_library(crypto STATIC IMPORTED)
set_target_properties(crypto PROPERTIES IMPORTED_LOCATION ${CRYPTO_LIBRARY}
                      INTERFACE_INCLUDE_DIRECTORIES "${CRYPTO_INCLUDE_DIR}")
target_link_libraries(crypto INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
