# WebAssembly by the packages of Debian 12: clang, lld, wasi-libc, libclang-rt-dev-wasm32.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
find_program(HF_WASM_CLANG NAMES clang-14 clang REQUIRED)
set(CMAKE_C_COMPILER ${HF_WASM_CLANG})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
