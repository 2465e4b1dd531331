import * as v from 'valibot';
import { parseMoment } from '../moments.ts';
import type { Secret } from '../secret.ts';
import type { TargetLook } from './generations.ts';
import { type GitHubAnswer, type GitHubApi, GitHubError, NotStoredError } from './github-api.ts';
import { type Target, targetName } from './settings.ts';

const publicKeySchema = v.looseObject({ key_id: v.string(), key: v.string() });
const secretSchema = v.looseObject({
  // Compared as it stands, but what is no moment would be the same one for ever.
  updated_at: v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(parseMoment(text))),
  ),
  visibility: v.optional(v.picklist(['all', 'private', 'selected'])),
});
const repositoriesSchema = v.looseObject({
  total_count: v.pipe(v.number(), v.safeInteger()),
  repositories: v.array(v.looseObject({ id: v.number() })),
});

/** A try of a store ends well before another rotation may take the key for old, however patient `request-timeout` is. */
const LONGEST_STORE_MS = 4 * 60_000;
/** GitHub tells whole seconds. */
const SAME_MOMENT_MS = 2000;
const PER_PAGE = 100;
const MOST_PAGES = 1000;

/** One GitHub secret in one place. */
export class SecretStore {
  readonly name: string;
  readonly #github: GitHubApi;
  readonly #secretName: string;
  readonly #route: string;
  readonly #parameters: Readonly<Record<string, string>>;
  readonly #isOrganization: boolean;
  #publicKey: { key_id: string; key: string } | undefined;
  /** When the secret was written last, as the look saw it. */
  #writtenBefore: string | undefined;
  /** Who may read an organisation's secret: kept as it is. */
  #audience: Readonly<Record<string, unknown>> = {};

  constructor(github: GitHubApi, target: Target, secretName: string) {
    this.#github = github;
    this.#secretName = secretName;
    this.name = targetName(target);
    this.#isOrganization = target.kind === 'organization';
    this.#route = ROUTES[target.kind];
    const { kind: _kind, ...place } = target;
    this.#parameters =
      'environment' in place
        ? { owner: place.owner, repo: place.repo, environment_name: place.environment }
        : place;
  }

  /**
   * Reads the public key and what is known of the secret: all that could be wrong with the token, the place or the name
   * shows here, before a key is created.
   * @throws GitHubError
   */
  async look(signal: AbortSignal): Promise<TargetLook> {
    const attempt = `read the public key of ${this.name}`;
    this.#publicKey = (await this.#get(publicKeySchema, 'public-key', attempt, signal)).data;
    // What cannot seal must show before there is something to seal.
    await seal('', this.#publicKey.key).catch(() => {
      throw new GitHubError(`Failed to ${attempt}: it is not a key that seals`, undefined, false);
    });
    const secret = await this.#secret(signal);
    if (this.#isOrganization) this.#audience = await this.#readAudience(secret, signal);
    if (secret === undefined) return { secretAgeMs: undefined };
    // Each age by the clock of its own server: the Date header beside the moment.
    const age = Date.parse(secret.date) - parseMoment(secret.updated_at);
    if (age >= SAME_MOMENT_MS) this.#writtenBefore = secret.updated_at;
    // Where it cannot be told, the secret may hold any key.
    return { secretAgeMs: Number.isNaN(age) ? 0 : age };
  }

  /**
   * Seals the value under the target's public key and writes it.
   * @param tooLate no try starts once this says so
   * @throws GitHubError
   */
  async store(value: Secret, signal: AbortSignal, tooLate: () => boolean): Promise<void> {
    if (this.#publicKey === undefined) throw new Error('store before look');
    const attempt = `store the secret ${this.#secretName} in ${this.name}`;
    await this.#github.call({
      attempt,
      route: `PUT ${this.#route}/{secret_name}`,
      parameters: {
        ...this.#parameters,
        secret_name: this.#secretName,
        encrypted_value: await seal(value.reveal(), this.#publicKey.key),
        key_id: this.#publicKey.key_id,
        ...this.#audience,
      },
      signal,
      tooLate,
      atMostMs: LONGEST_STORE_MS,
      // Anything else that looks like success comes from something in between, which may have kept the secret for itself.
      accepts: ({ status }) => status === 201 || status === 204,
    });
  }

  /**
   * Whether a moment that {@link updatedAt} told is another than the look saw: one that stayed shows that nothing was
   * written. Where the look saw a secret of the same moment, that cannot be told, and counts as written.
   */
  isWritten(updatedAt: string): boolean {
    return updatedAt !== this.#writtenBefore;
  }

  /**
   * When the secret was last written, as GitHub says it.
   * @throws GitHubError, also where there is no such secret
   */
  async updatedAt(signal: AbortSignal): Promise<string> {
    const secret = await this.#secret(signal);
    if (secret !== undefined) return secret.updated_at;
    const message = `Failed to read when the secret ${this.#secretName} of ${this.name} was written: it is gone`;
    throw new NotStoredError(message, 404, false);
  }

  async #secret(signal: AbortSignal) {
    const attempt = `read when the secret ${this.#secretName} of ${this.name} was written`;
    try {
      const { data, headers } = await this.#get(secretSchema, '{secret_name}', attempt, signal);
      return { ...data, date: String(headers.date ?? '') };
    } catch (error) {
      if (error instanceof GitHubError && error.status === 404) return undefined;
      throw error;
    }
  }

  /**
   * A new secret is for private repositories; an existing one keeps its readers.
   * @throws GitHubError also where its readers are not told in full
   */
  async #readAudience(
    secret: { visibility?: string | undefined } | undefined,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (secret === undefined) return { visibility: 'private' };
    const attempt = `read who may read the secret ${this.#secretName} of ${this.name}`;
    const { visibility } = secret;
    if (visibility === undefined) {
      throw new GitHubError(`Failed to ${attempt}: the answer does not say`, undefined, false);
    }
    if (visibility !== 'selected') return { visibility };
    const ids = new Set<number>();
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const query = { per_page: PER_PAGE, page };
      const path = '{secret_name}/repositories';
      const { data } = await this.#get(repositoriesSchema, path, attempt, signal, query);
      const { repositories, total_count } = data;
      for (const { id } of repositories) ids.add(id);
      // A server may give smaller pages than were asked for.
      if (ids.size >= total_count) return { visibility, selected_repository_ids: [...ids] };
      if (repositories.length === 0) break;
    }
    const finding = 'the listing does not hold as many repositories as it says';
    throw new GitHubError(`Failed to ${attempt}: ${finding}`, undefined, false);
  }

  async #get<Schema extends v.GenericSchema>(
    schema: Schema,
    path: string,
    attempt: string,
    signal: AbortSignal,
    query: Readonly<Record<string, number>> = {},
  ): Promise<{ data: v.InferOutput<Schema>; headers: GitHubAnswer['headers'] }> {
    const { data, headers } = await this.#github.call({
      attempt,
      route: `GET ${this.#route}/${path}`,
      parameters: {
        ...this.#parameters,
        ...(path.includes('{secret_name}') ? { secret_name: this.#secretName } : {}),
        ...query,
      },
      signal,
      accepts: (answer) => v.is(schema, answer.data),
    });
    return { data: v.parse(schema, data), headers };
  }
}

const ROUTES: Readonly<Record<Target['kind'], string>> = {
  repository: '/repos/{owner}/{repo}/actions/secrets',
  dependabot: '/repos/{owner}/{repo}/dependabot/secrets',
  environment: '/repos/{owner}/{repo}/environments/{environment_name}/secrets',
  organization: '/orgs/{org}/actions/secrets',
};

/** A libsodium sealed box, base64, as GitHub's API takes it. */
async function seal(value: string, publicKey: string): Promise<string> {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  const key = sodium.from_base64(publicKey, sodium.base64_variants.ORIGINAL);
  const sealed = sodium.crypto_box_seal(sodium.from_string(value), key);
  return sodium.to_base64(sealed, sodium.base64_variants.ORIGINAL);
}
