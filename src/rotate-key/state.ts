import * as v from 'valibot';

/**
 * What main leaves to the post step. It holds the new key in plain text, because the runner keeps it so; the GitHub token
 * is not in it, because the runner evaluates that input again.
 */
const stateSchema = v.pipe(
  v.object({
    newKey: v.string(),
    newKeyId: v.string(),
    pending: v.array(v.string()),
    baseUrl: v.string(),
    requestTimeoutMs: v.number(),
    maxRetries: v.number(),
    summary: v.boolean(),
    secretName: v.optional(v.string()),
    /** In full, as `secret-targets` writes them. */
    targets: v.array(v.string()),
    updatedAt: v.array(v.string()),
  }),
  // Each target is read again before anything is revoked.
  v.check(({ targets, updatedAt }) => targets.length === updatedAt.length),
);
export type PostState = v.InferOutput<typeof stateSchema>;

/**
 * Reads the state that main saved.
 * @returns undefined where main left nothing to do
 * @throws Error when the state is not what main writes; nothing of it is quoted
 */
export function readState(json: string): PostState | undefined {
  if (json === '') return undefined;
  try {
    return v.parse(stateSchema, JSON.parse(json));
  } catch {
    throw new Error('The state that the main step left cannot be read, so nothing was revoked.');
  }
}
