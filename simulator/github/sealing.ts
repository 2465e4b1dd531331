import { randomInt } from 'node:crypto';
import sodium from 'libsodium-wrappers';

/** One key pair of a place that holds secrets. */
export interface SealingKey {
  readonly id: string;
  /** Base64. */
  readonly publicKey: string;
  /** What a sealed box holds; nothing if it is not one for this key. */
  open(box: Uint8Array): string | undefined;
}

/**
 * A new key pair. The library is imported with this file, though it takes some 15 ms: jest refuses an `import()` that comes
 * between tests, and where tests run side by side any request may.
 */
export async function newSealingKey(): Promise<SealingKey> {
  await sodium.ready;
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  return {
    id: `${randomInt(1e9, 1e10)}${randomInt(1e8, 1e9)}`,
    publicKey: Buffer.from(publicKey).toString('base64'),
    open(box) {
      try {
        return Buffer.from(sodium.crypto_box_seal_open(box, publicKey, privateKey)).toString();
      } catch {
        return undefined;
      }
    },
  };
}
