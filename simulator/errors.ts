import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** An error that the API tells its client. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const badRequest = (message: string) => new ApiError(400, 'BAD_REQUEST', message);
export const notFound = (what: string) => new ApiError(404, 'NOT_FOUND', `${what} not found`);

/** The body of every error. */
export function errorBody(requestId: string, code: string, message: string) {
  return { request_id: requestId, code, message };
}
