import type { ContentfulStatusCode } from 'hono/utils/http-status';

const documentation = 'https://docs.github.com/rest';

/** An error that the GitHub API tells its client. */
export class GithubError extends Error {
  readonly status: ContentfulStatusCode;
  /** For a redirect: where to. */
  readonly location: string | undefined;

  constructor(status: ContentfulStatusCode, message: string, location?: string) {
    super(message);
    this.status = status;
    this.location = location;
  }
}

export const notFound = () => new GithubError(404, 'Not Found');
export const notAccessible = () => new GithubError(403, 'Resource not accessible by integration');
export const unprocessable = (message: string) => new GithubError(422, message);

/** The body of every error; that of a redirect says where to instead of which status. */
export function githubErrorBody(status: number, message: string, location?: string) {
  return location === undefined
    ? { message, documentation_url: documentation, status: String(status) }
    : { message, url: location, documentation_url: `${documentation}/using-the-rest-api` };
}
