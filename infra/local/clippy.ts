// How cargo compiles with clippy instead of with the compiler alone.

/**
 * What `cargo clippy -- -D warnings` sets for cargo: clippy's driver compiles the crates of the workspace, and takes its arguments from
 * the environment, in its own separator.
 */
export const clippyEnvironment = {
  RUSTC_WORKSPACE_WRAPPER: 'clippy-driver',
  CLIPPY_ARGS: '-D__CLIPPY_HACKERY__warnings',
};
