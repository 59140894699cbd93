// Makes cargo compile with clippy instead of the plain compiler.

/**
 * The environment that `cargo clippy -- -D warnings` sets for cargo: clippy's driver compiles the workspace's crates
 * and reads its arguments from there, with its own separator.
 */
export const clippyEnvironment = {
  RUSTC_WORKSPACE_WRAPPER: 'clippy-driver',
  CLIPPY_ARGS: '-D__CLIPPY_HACKERY__warnings',
};
