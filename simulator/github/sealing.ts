import { randomInt } from 'node:crypto';

/** One key pair of a place that holds secrets. */
export interface SealingKey {
  readonly id: string;
  /** Base64. */
  readonly publicKey: string;
  /** What a sealed box holds; nothing if it is not one for this key. */
  open(box: Uint8Array): string | undefined;
}

/** Libsodium is WebAssembly that takes a while to start: only where something is sealed. */
export async function newSealingKey(): Promise<SealingKey> {
  const { default: sodium } = await import('libsodium-wrappers');
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
