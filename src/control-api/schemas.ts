import * as v from 'valibot';
import { HEADER_TEXT } from '../secret.ts';

/** For an object with every field optional: an array would do. */
function noArray() {
  return v.custom<object>((answer) => !Array.isArray(answer));
}

/**
 * The shapes of section 2 of the contract, checked on the way in. Objects keep the fields they do not name, so an output
 * shows a resource as the API gave it.
 */

const optionalText = v.nullish(v.string());
/** A number that JSON writes with a fraction or an exponent may be rounded already; a rounded id is somebody else's. */
const keyId = v.union([v.pipe(v.number(), v.safeInteger()), v.bigint()]);
const wholeNumber = v.union([v.pipe(v.number(), v.integer()), v.bigint()]);

/** Section 2.3. `branch_id` may be absent, and further statuses and actions exist: neither is checked against a list. */
export const operationSchema = v.looseObject({
  id: v.pipe(v.string(), v.nonEmpty()),
  project_id: v.pipe(v.string(), v.nonEmpty()),
  branch_id: optionalText,
  endpoint_id: optionalText,
  action: v.string(),
  status: v.string(),
  failures_count: v.nullish(v.number()),
  created_at: v.string(),
  updated_at: v.string(),
  error: optionalText,
});
export type Operation = v.InferOutput<typeof operationSchema>;

/** Section 2.4: an absent, null or empty cursor means the end. */
const pagination = v.nullish(v.pipe(noArray(), v.looseObject({ cursor: optionalText })));

export const operationsPageSchema = v.looseObject({
  operations: v.array(operationSchema),
  pagination,
});

export const operationAnswerSchema = v.looseObject({ operation: operationSchema });

/** Section 2.2. Only what is needed to name, filter and fan out over a project is required. */
export const projectSchema = v.looseObject({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  platform_id: optionalText,
  region_id: optionalText,
  pg_version: v.nullish(wholeNumber),
  cpu_used_sec: v.nullish(wholeNumber),
  branch_logical_size_limit: v.nullish(wholeNumber),
  created_at: optionalText,
  updated_at: optionalText,
});
export type Project = v.InferOutput<typeof projectSchema>;

export const projectsPageSchema = v.looseObject({
  projects: v.array(projectSchema),
  pagination,
  unavailable_project_ids: v.nullish(v.array(v.string())),
});

/** Section 2.1: an item of the list. The secret value is never in it. */
export const apiKeySchema = v.looseObject({
  id: keyId,
  name: v.string(),
  created_at: optionalText,
  last_used_at: optionalText,
  last_used_from_addr: optionalText,
});
export type ApiKey = v.InferOutput<typeof apiKeySchema>;

export const apiKeysSchema = v.array(apiKeySchema);

export const createdKeySchema = v.looseObject({
  id: keyId,
  // What a header can carry: anything else is no key, and could not be masked line by line.
  key: v.pipe(v.string(), v.regex(HEADER_TEXT)),
});

export const revokedKeySchema = v.pipe(
  noArray(),
  v.looseObject({
    id: v.optional(keyId),
    name: optionalText,
    revoked: v.nullish(v.boolean()),
  }),
);
export type RevokedKey = v.InferOutput<typeof revokedKeySchema>;
