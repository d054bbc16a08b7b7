#!/bin/sh
# install.sh [running]: installs what a script of package.json needs, before it runs.
#
# `running` leaves out what only tests and checks need, unless it is there already. It also trusts the lockfile: a change of it
# is reviewed, and every other install checks the age of its packages, with a request for each of them.
set -e
if [ "$1" = running ] && [ ! -e node_modules/.bin/vitest ]; then
  exec pnpm install --prod --trust-lockfile --filter purser --filter-prod '@purser/server...' \
    --filter-prod '@purser/cli...' --filter-prod '@purser/console...' >&2
fi
exec pnpm install >&2
