import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

const HOUR = 3_600_000;

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A private certificate authority that lives as long as a test. */
export interface Authority {
  /** The file for `NODE_EXTRA_CA_CERTS`. */
  readonly file: string;
  /**
   * A certificate for these hosts.
   * @param validMs from now; negative: expired
   */
  issue(hosts: readonly string[], validMs?: number): Promise<Certificate>;
  remove(): void;
}

export async function createAuthority(): Promise<Authority> {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const file = join(folder, 'ca.pem');
  const root = await generate([{ name: 'commonName', value: 'Private authority' }], {
    ...span(HOUR),
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  writeFileSync(file, root.cert);
  return {
    file,
    async issue(hosts, validMs = HOUR) {
      const { private: key, cert } = await generate(
        [{ name: 'commonName', value: hosts[0] ?? 'nobody' }],
        {
          ...span(validMs),
          keyType: 'ec',
          algorithm: 'sha256',
          ca: { key: root.private, cert: root.cert },
          extensions: [
            { name: 'basicConstraints', cA: false },
            {
              name: 'subjectAltName',
              altNames: hosts.map((host) =>
                /^[\d.]+$/.test(host) ? { type: 7, ip: host } : { type: 2, value: host },
              ),
            },
          ],
        },
      );
      return { key, cert };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function span(validMs: number) {
  const now = Date.now();
  return {
    notBeforeDate: new Date(Math.min(now, now + validMs) - HOUR),
    notAfterDate: new Date(now + validMs),
  };
}
