import type { Form } from './form.ts';

const RULE = {
  allowed:
    'an https address that ends in the version prefix, without credentials, query or fragment (http for loopback hosts only)',
  example: 'https://console.example.com/api/v2',
};

/**
 * The base URL without a slash at its end. What is wrong is said without the value: it may hold credentials.
 */
export function readBaseUrl(form: Form): string {
  const text = form.required('base-url', RULE);
  if (text === '') return '';
  const problem = problemOf(text);
  if (problem !== undefined) form.fault('base-url', problem, RULE);
  return normal(text) ?? '';
}

function problemOf(text: string): string | undefined {
  if (/[\s\u0000-\u001f\u007f]/.test(text)) return 'holds blanks or control characters';
  if (!URL.canParse(text)) return 'is not a URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not an https address';
  if (url.username !== '' || url.password !== '') return 'holds credentials';
  if (text.includes('?')) return 'holds a query';
  if (text.includes('#')) return 'holds a fragment';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'is http to a host that is not this machine: the API key would travel unprotected';
  }
  if (!/\/v\d+(\.\d+)?\/?$/.test(url.pathname))
    return 'does not end in a version prefix such as /api/v2';
  return undefined;
}

function normal(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/$/, '');
}

/** The URL parser has already turned every notation of an IPv4 address into four decimal numbers. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
