// The loop of loop.sh, for machines without curl or jq, and for many at once in one process.
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** @returns whether every operation finished; a body that jq could not read ends the step, as `bash -e` does */
export async function waitInLoop(baseUrl, apiKey, projectId, ids, intervalMs, signal) {
  for (const id of ids) {
    for (;;) {
      const text = await read(`${baseUrl}/projects/${projectId}/operations/${id}`, apiKey, signal);
      let status;
      try {
        // jq reads nothing from an empty input, and calls that success.
        status = text.trim() === '' ? '' : JSON.parse(text)?.operation?.status;
      } catch {
        return { finished: false, why: 'jq: parse error' };
      }
      if (status === 'finished') break;
      if (status === 'failed') return { finished: false, why: 'failed' };
      await sleep(intervalMs, undefined, { signal });
    }
  }
  return { finished: true, why: '' };
}

// `curl -s`: whatever goes wrong, what had arrived until then goes into the pipe. A connection for each request.
function read(url, apiKey, signal) {
  return new Promise((resolve) => {
    let text = '';
    const done = () => resolve(text);
    const headers = { authorization: `Bearer ${apiKey}` };
    get(url, { headers, agent: false, signal }, (message) => {
      message.setEncoding('utf8');
      message.on('data', (piece) => {
        text += piece;
      });
      message.on('end', done);
      message.on('error', done);
      message.on('close', done);
    }).on('error', done);
  });
}

if (import.meta.main) {
  const { BASE_URL, API_KEY, PROJECT_ID, OPERATIONS, INTERVAL } = process.env;
  const ids = JSON.parse(readFileSync(OPERATIONS, 'utf8')).operations.map(({ id }) => id);
  const { finished } = await waitInLoop(
    BASE_URL,
    API_KEY,
    PROJECT_ID,
    ids,
    Number(INTERVAL) * 1000,
  );
  process.exitCode = finished ? 0 : 1;
}
