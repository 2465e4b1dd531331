import { badRequest } from './errors.ts';
import type { Settings } from './settings.ts';

/** The `limit` of a request. @throws ApiError 400 */
export function readLimit(text: string | undefined, allowed: Settings['pageSize']): number {
  if (text === undefined) return allowed.default;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || (limit > allowed.max && allowed.over === 'reject')) {
    throw badRequest(`limit must be an integer from 1 to ${allowed.max}`);
  }
  return Math.min(limit, allowed.max);
}

/** A timestamp cursor, in milliseconds. @throws ApiError 400 */
export function readTimestamp(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw badRequest('cursor is invalid');
  return time;
}

/** The `pagination` of a page, or nothing. */
export function lastCursor(page: {
  items: number;
  /** The cursor that the page's last item makes. */
  ofLast: string | undefined;
  isLastPage: boolean;
  /** The cursor that led here. */
  asked: string | undefined;
  style: Settings['lastPageCursor'];
}): { pagination?: { cursor: string } } {
  if (!page.isLastPage || page.style === 'past-end') return pagination(page.ofLast);
  if (page.style === 'empty') return { pagination: { cursor: '' } };
  if (page.style === 'repeat') return pagination(page.asked ?? page.ofLast);
  return {};
}

function pagination(cursor: string | undefined) {
  return cursor === undefined ? {} : { pagination: { cursor } };
}
