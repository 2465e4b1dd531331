import * as v from 'valibot';
import { parseJson } from '../control-api/json.ts';
import { isSafeId } from '../control-api/paths.ts';
import { oneLine } from '../text.ts';
import type { SeenOperation } from '../wait-operations/settings.ts';
import type { InputName } from './catalog.ts';
import type { Form } from './form.ts';

const id = v.pipe(v.string(), v.check(isSafeId));
const text = v.nullish(v.string());

/** An operation as a response body shows it. Only its id is needed; what the service adds is kept. */
const givenSchema = v.looseObject({
  id,
  project_id: v.optional(id),
  branch_id: text,
  endpoint_id: text,
  action: text,
  status: text,
  created_at: text,
  updated_at: text,
  error: text,
});

/** An operation of a response body; its project may be missing. */
export type GivenJson = Omit<SeenOperation, 'project_id'> & {
  readonly project_id?: string | undefined;
};

const RULE = {
  allowed:
    'JSON as the API returned it: a response body with an "operations" array or one "operation", or the array alone',
  example:
    '{"operations":[{"id":"8c5b1f60-3f5b-4d2a-9e4e-8f2f0a1b2c3d","project_id":"aged-salad-686906"}]}',
};

/**
 * The operations of an input or of a file that an input names. The text is never quoted: the body of a branch's creation
 * carries connection strings with passwords.
 * @returns undefined when the text is empty or wrong
 */
export function readOperations(
  form: Form,
  name: InputName,
  json: string | undefined,
): readonly GivenJson[] | undefined {
  if (json === undefined || (json.trim() === '' && name === 'operations')) return undefined;
  let body: unknown;
  try {
    body = form.redacted(parseJson(json));
  } catch {
    form.fault(name, json.trim() === '' ? 'is empty' : 'is not JSON', RULE);
    return undefined;
  }
  const items = itemsOf(body);
  if (items === undefined) {
    form.fault(name, 'holds no operations (is it the answer to a request that failed?)', RULE);
    return undefined;
  }
  const result = v.safeParse(v.array(givenSchema), items, { abortEarly: true });
  if (result.success) return result.output;
  const path = oneLine(v.getDotPath(result.issues[0]) ?? '', 80);
  form.fault(name, `operation ${path} is missing or not of the right shape`, RULE);
  return undefined;
}

function itemsOf(body: unknown): unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (typeof body !== 'object' || body === null) return undefined;
  const { operations, operation } = body as Record<string, unknown>;
  if (Array.isArray(operations))
    return operation === undefined ? operations : [...operations, operation];
  return operations === undefined && operation !== undefined ? [operation] : undefined;
}
