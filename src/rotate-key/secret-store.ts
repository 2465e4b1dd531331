import * as v from 'valibot';
import type { Secret } from '../secret.ts';
import type { TargetLook } from './generations.ts';
import { type GitHubAnswer, type GitHubApi, GitHubError, NotStoredError } from './github-api.ts';
import { type Target, targetName } from './settings.ts';

const publicKeySchema = v.looseObject({ key_id: v.string(), key: v.string() });
const secretSchema = v.looseObject({
  updated_at: v.string(),
  visibility: v.optional(v.picklist(['all', 'private', 'selected'])),
});
const repositoriesSchema = v.looseObject({
  repositories: v.array(v.looseObject({ id: v.number() })),
});

/** GitHub's moments are whole seconds: a write this shortly before the look may show the same one as ours. */
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
  /** When the secret was last written before the look. */
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
    this.#publicKey = (await this.#get(publicKeySchema, 'public-key', attempt, signal)).value;
    const secret = await this.#secret(signal);
    if (this.#isOrganization) this.#audience = await this.#readAudience(secret, signal);
    if (secret === undefined) return { secretAgeMs: undefined };
    // Each age by the clock of its own server: the Date header beside the moment.
    const age = Date.parse(secret.date) - Date.parse(secret.updated_at);
    if (age > SAME_MOMENT_MS) this.#writtenBefore = secret.updated_at;
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
    await this.#github.call({
      attempt: `store the secret ${this.#secretName} in ${this.name}`,
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
      // A page of something in between would be a store that nobody made.
      accepts: ({ status }) => status === 201 || status === 204,
    });
  }

  /**
   * When the secret was last written, as GitHub says it. Asked after a store.
   * @throws GitHubError, also where there is no such secret, or none that was written since the look: then the store was
   *   answered and not made, and the old key must stay valid
   */
  async updatedAt(signal: AbortSignal): Promise<string> {
    const secret = await this.#secret(signal);
    const attempt = `see the new key in the secret ${this.#secretName} of ${this.name}`;
    if (secret === undefined) {
      throw new NotStoredError(`Failed to ${attempt}: there is no such secret`, 404, false);
    }
    if (secret.updated_at !== this.#writtenBefore) return secret.updated_at;
    const finding = `it was last written at ${secret.updated_at}, before this rotation stored anything`;
    throw new NotStoredError(`Failed to ${attempt}: ${finding}`, undefined, false);
  }

  async #secret(signal: AbortSignal) {
    const attempt = `read when the secret ${this.#secretName} of ${this.name} was written`;
    try {
      const { value, headers } = await this.#get(secretSchema, '{secret_name}', attempt, signal);
      return { ...value, date: String(headers.date ?? '') };
    } catch (error) {
      if (error instanceof GitHubError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** A new secret is for private repositories; an existing one keeps its readers. */
  async #readAudience(
    secret: { visibility?: string | undefined } | undefined,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const visibility = secret?.visibility ?? 'private';
    if (visibility !== 'selected') return { visibility };
    const attempt = `list the repositories that may read the secret ${this.#secretName} of ${this.name}`;
    const ids: number[] = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const path = '{secret_name}/repositories';
      const query = { per_page: PER_PAGE, page };
      const { value } = await this.#get(repositoriesSchema, path, attempt, signal, query);
      const { repositories } = value;
      for (const { id } of repositories) ids.push(id);
      if (repositories.length < PER_PAGE) return { visibility, selected_repository_ids: ids };
    }
    throw new GitHubError(`Failed to ${attempt}: the listing does not end`, undefined, false);
  }

  async #get<Schema extends v.GenericSchema>(
    schema: Schema,
    path: string,
    attempt: string,
    signal: AbortSignal,
    query: Readonly<Record<string, number>> = {},
  ): Promise<{ value: v.InferOutput<Schema>; headers: GitHubAnswer['headers'] }> {
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
    return { value: v.parse(schema, data), headers };
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
