import type { LookupAddress, LookupOptions, lookup } from 'node:dns';
import { Server as ProxyServer } from 'proxy-chain';
import { type Authority, createAuthority } from './certificates.ts';
import type { Ending } from './endpoints.ts';
import { createFront } from './front.ts';
import {
  type Play,
  type Played,
  playListing,
  playRotation,
  playWait,
  type Surroundings,
} from './plays.ts';

/** The way to the service: nobody there, a proxy between, a certificate to be checked. */
export interface Way {
  readonly mode: string;
  readonly name: string;
  readonly actual: Ending;
  readonly requests: number;
  readonly broken: readonly string[];
}

/** Each mode, played over every way. A new mode is a row here. */
const MODES: readonly (readonly [mode: string, play: Play])[] = [
  ['wait-operations', playWait('single')],
  ['rotate-key', playRotation()],
  ['list-projects', playListing],
];

interface Journey {
  readonly name: string;
  readonly expected: Ending;
  /** What the error says. */
  readonly words?: RegExp;
  readonly go: (play: Play, authority: Authority) => Promise<Played & { readonly more?: string[] }>;
}

const undisturbed = (): void => {};
/** A name that no resolver knows, so that only the proxy can lead there. */
const HOST = 'database.test';
/** Reaches this machine without being one of the addresses that are never sent through a proxy. */
const HERE = '0.0.0.0';
const PASSWORD = 'pr0xy-passw0rd-canary';

const JOURNEYS: readonly Journey[] = [
  {
    name: 'connection refused, then a service',
    expected: 'green',
    async go(play) {
      const front = await createFront(false);
      let timer: NodeJS.Timeout | undefined;
      const open = (port: number): void => {
        timer = setTimeout(() => void front.open(port), 450);
      };
      try {
        // More tries, because a rotation has no time of its own to wait for.
        // The operation has ended by then, so that the last look will do, however long the pause before it was.
        return await play(({ clock }) => clock.advance(2000), {
          inputs: ({ baseUrl }) => {
            open(Number(new URL(baseUrl).port));
            return { 'base-url': behind(baseUrl, front.port), 'max-retries': '20' };
          },
        });
      } finally {
        clearTimeout(timer);
        await front.close();
      }
    },
  },
  {
    name: 'connection refused',
    expected: 'red',
    words: /refused \(ECONNREFUSED\).*base-url/,
    async go(play) {
      const front = await createFront(false);
      return play(undisturbed, {
        inputs: ({ baseUrl }) => ({ 'base-url': behind(baseUrl, front.port) }),
      });
    },
  },
  {
    name: 'silent after the connection',
    expected: 'red',
    words: /within|did not answer in time/,
    async go(play) {
      const front = await createFront(true);
      try {
        return await play(undisturbed, {
          inputs: ({ baseUrl }) => ({ 'base-url': behind(baseUrl, front.port) }),
        });
      } finally {
        await front.close();
      }
    },
  },
  {
    name: 'a private authority, named in NODE_EXTRA_CA_CERTS',
    expected: 'green',
    go: async (play, authority) =>
      play(undisturbed, {
        simulator: { tls: await authority.issue(['127.0.0.1']) },
        env: { NODE_EXTRA_CA_CERTS: authority.file },
      }),
  },
  ...(
    [
      ['a private authority that nobody named', ['127.0.0.1'], 3_600_000, false],
      ['a certificate of another host', ['elsewhere.test'], 3_600_000, true],
      ['an expired certificate', ['127.0.0.1'], -60_000, true],
    ] as const
  ).map(
    ([name, hosts, validMs, isNamed]): Journey => ({
      name,
      expected: 'red',
      words: /certificate does not verify.*NODE_EXTRA_CA_CERTS/,
      async go(play, authority) {
        const begin = performance.now();
        const played = await play(undisturbed, {
          simulator: { tls: await authority.issue(hosts, validMs) },
          env: isNamed ? { NODE_EXTRA_CA_CERTS: authority.file } : {},
        });
        const more: string[] = [];
        if (played.requests > 0) more.push('something was sent');
        if (performance.now() - begin > 5000) more.push('it did not fail at once');
        return { ...played, more };
      },
    }),
  ),
  {
    name: 'a proxy with a password, and a private authority behind it',
    expected: 'green',
    go: (play, authority) => throughProxy(play, authority, HOST, {}, (calls) => calls > 0),
  },
  {
    name: 'the same address without NO_PROXY',
    expected: 'green',
    go: (play, authority) => throughProxy(play, authority, HERE, {}, (calls) => calls > 0),
  },
  {
    name: 'NO_PROXY',
    expected: 'green',
    go: (play, authority) =>
      throughProxy(play, authority, HERE, { NO_PROXY: HERE }, (calls) => calls === 0),
  },
  {
    name: 'a proxy that refuses the password',
    expected: 'red',
    words: /proxy answered 407.*HTTPS_PROXY/,
    go: (play, authority) =>
      throughProxy(play, authority, HOST, {}, (calls) => calls === 0, 'another-password-canary'),
  },
  {
    name: 'a proxy where nobody listens',
    expected: 'red',
    words: /proxy could not be reached.*HTTPS_PROXY/,
    async go(play, authority) {
      const front = await createFront(false);
      return play(undisturbed, {
        ...(await at(authority, HOST)),
        env: { HTTPS_PROXY: `http://user:${PASSWORD}@127.0.0.1:${front.port}` },
        canaries: [PASSWORD],
      });
    },
  },
];

/** Plays each mode over each way. */
export async function everyWay(): Promise<readonly Way[]> {
  const authority = await createAuthority();
  const ways: Way[] = [];
  try {
    for (const [mode, play] of MODES) {
      for (const journey of JOURNEYS) ways.push(await judged(mode, play, journey, authority));
    }
  } finally {
    authority.remove();
  }
  return ways;
}

async function judged(
  mode: string,
  play: Play,
  { name, expected, words, go }: Journey,
  authority: Authority,
): Promise<Way> {
  const { step, green, broken, requests, more = [] } = await go(play, authority);
  const actual: Ending = green ? 'green' : 'red';
  const errors = step.annotations
    .filter(({ level }) => level === 'error')
    .map(({ message }) => message)
    .join(' ');
  const found = [...broken, ...more];
  if (actual !== expected) found.push(`it is ${actual}: ${errors}`);
  if (words !== undefined && !words.test(errors)) found.push(`no ${words} in: ${errors}`);
  return { mode, name, actual, requests, broken: found };
}

/** Runs a step whose service has this name, through a real forward proxy on this machine. */
async function throughProxy(
  play: Play,
  authority: Authority,
  host: string,
  env: Record<string, string>,
  isRight: (calls: number) => boolean,
  password = PASSWORD,
): Promise<Played & { more: string[] }> {
  let calls = 0;
  const proxy = new ProxyServer({
    port: 0,
    host: '127.0.0.1',
    prepareRequestFunction: ({ username, password: given, isHttp }) => {
      const isKnown = username === 'user' && given === PASSWORD;
      if (isKnown && !isHttp) calls += 1;
      return { requestAuthentication: !isKnown, dnsLookup: dnsLookup as unknown as typeof lookup };
    },
  });
  await proxy.listen();
  try {
    const played = await play(undisturbed, {
      ...(await at(authority, host)),
      env: {
        NODE_EXTRA_CA_CERTS: authority.file,
        HTTPS_PROXY: `http://user:${password}@127.0.0.1:${proxy.port}`,
        ...env,
      },
      canaries: [PASSWORD, password],
    });
    return { ...played, more: isRight(calls) ? [] : [`the proxy was used ${calls} times`] };
  } finally {
    await proxy.close(true);
  }
}

/** The proxy's own resolver: it alone knows the way. */
function dnsLookup(
  _name: string,
  { all }: LookupOptions,
  callback: (error: null, address: string | LookupAddress[], family?: number) => void,
): void {
  if (all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
}

/** A service of this name, with a certificate of the private authority. */
async function at(authority: Authority, host: string): Promise<Surroundings> {
  return {
    simulator: { tls: await authority.issue([host, '127.0.0.1']) },
    inputs: ({ baseUrl }) => ({ 'base-url': baseUrl.replace('127.0.0.1', host) }),
  };
}

function behind(baseUrl: string, port: number): string {
  const url = new URL(baseUrl);
  url.port = String(port);
  return url.href;
}
