/** What a target string names. */
export type Target =
  | { kind: 'repository'; repository: string }
  | { kind: 'dependabot'; repository: string }
  | { kind: 'environment'; repository: string; environment: string }
  | { kind: 'organization'; organization: string };

/**
 * Reads `repository:OWNER/NAME`, `environment:OWNER/NAME/ENVIRONMENT` (whose last part may hold anything),
 * `organization:ORG` or `dependabot:OWNER/NAME`.
 * @throws Error if it is none of these
 */
export function parseTarget(text: string): Target {
  const [, kind, rest = ''] = /^([a-z]+):(.+)$/s.exec(text) ?? [];
  const [, repository, environment] = /^([^/]+\/[^/]+)(?:\/(.+))?$/s.exec(rest) ?? [];
  if (kind === 'organization' && !rest.includes('/')) return { kind, organization: rest };
  if ((kind === 'repository' || kind === 'dependabot') && repository && !environment) {
    return { kind, repository };
  }
  if (kind === 'environment' && repository && environment) {
    return { kind, repository, environment };
  }
  throw new Error(
    `"${text}" is not a target; there are: repository:OWNER/NAME, environment:OWNER/NAME/ENVIRONMENT, organization:ORG, dependabot:OWNER/NAME`,
  );
}
