#!/bin/sh
# The compiler for cargo, with libFuzzer's coverage and the checks of a debug build in our own crates. Those of others are as in tests, so
# that they are compiled once. Build scripts are plain programs, which libFuzzer is not linked to.
case "$CARGO_PKG_NAME $CARGO_CRATE_NAME" in
  *" build_script_build")
    exec "$@"
    ;;
  penstock-*)
    exec "$@" --cfg fuzzing -Cdebug-assertions -Coverflow-checks -Cpasses=sancov-module \
      -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
      -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares
    ;;
  *) exec "$@" ;;
esac
