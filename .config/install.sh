#!/bin/sh
# install.sh [running | console]: installs what a script of package.json needs, before it runs.
#
# `running` leaves out what only tests, checks and the console need, unless it is there already. It also trusts the lockfile: a
# change of it is reviewed, and every other install checks the age of its packages, with a request for each of them.
# `console` adds what builds the console. The service runs meanwhile, so only failures are shown.
set -e
without_tests() {
  exec pnpm install --prod --trust-lockfile "$@" >&2
}
if [ ! -e node_modules/.bin/vitest ]; then
  case "$1" in
    running) without_tests --filter purser --filter-prod '@purser/server...' --filter-prod '@purser/cli...' ;;
    console) without_tests --filter-prod '@purser/console...' --loglevel error ;;
  esac
fi
[ "$1" = console ] || exec pnpm install >&2
