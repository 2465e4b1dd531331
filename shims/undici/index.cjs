'use strict';
// Two libraries of the bundle name undici for callers that use `fetch` behind a proxy. The action never does: all its requests,
// Octokit's too, go through `src/control-api/http.ts`, whose agents know the proxies. The real undici would be more than half
// of the bundle and a third of a step's whole start.
const unused = () => {
  throw new Error('fetch through undici is not part of this bundle');
};
exports.ProxyAgent = class ProxyAgent {
  dispatch() {
    unused();
  }
};
exports.fetch = unused;
