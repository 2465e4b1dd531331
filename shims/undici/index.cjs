'use strict';
// `@actions/http-client` names undici's ProxyAgent for callers that send with `fetch` behind a proxy. The action never does:
// its requests go through the library's agents, which know the proxies, too. The real undici would be more than half of the
// bundle and a third of a step's whole start.
exports.ProxyAgent = class ProxyAgent {
  constructor() {
    throw new Error('fetch behind a proxy is not part of this bundle');
  }
};
