#!/usr/bin/env bash
# Starts the simulator in the background unless $URL names one, waits until it answers, and tells the later steps of it.
set -euo pipefail

port=${PORT:-8080}
if [ -z "${URL:-}" ]; then
  URL=http://127.0.0.1:$port
  npm ci --no-audit --no-fund
  # Cut off from the step's streams: the runner waits for whoever holds them.
  nohup npm run simulator -- --port "$port" --scheduling-ms 300 --running-ms 900 \
    >"$RUNNER_TEMP/simulator.log" 2>&1 </dev/null &
fi

state=$(curl --silent --show-error --fail --retry 60 --retry-delay 1 --retry-connrefused "$URL/_simulator/state")
key=$(jq --raw-output .apiKey <<<"$state")
echo "::add-mask::$key"
{
  echo "base-url=$(jq --raw-output .baseUrl <<<"$state")"
  echo "admin-url=$URL/_simulator"
  echo "api-key=$key"
  echo "project-id=$(jq --raw-output '.projects[0].id' <<<"$state")"
} >>"$GITHUB_OUTPUT"
