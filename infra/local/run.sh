#!/bin/sh
# Starts the bootstrap so that npm's signals reach it. npm finds `node` in node_modules/.bin, where pnpm puts a shell script
# that starts Node as its child: that script would get the signals and keep them.
node=node_modules/node/bin/node
[ -x "$node" ] || node=node
exec "$node" infra/local/bootstrap.mjs "$@"
