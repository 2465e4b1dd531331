/** One page of a listing, and the `Link` header that leads on. */
export function pageOf<Item>(all: readonly Item[], url: URL) {
  const perPage = Math.min(readNumber(url.searchParams.get('per_page'), 30), 100);
  const page = readNumber(url.searchParams.get('page'), 1);
  const last = Math.max(1, Math.ceil(all.length / perPage));
  const links = [
    ...(page > 1 ? [linkTo(url, Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [linkTo(url, page + 1, 'next'), linkTo(url, last, 'last')] : []),
    ...(page > 1 ? [linkTo(url, 1, 'first')] : []),
  ];
  return {
    items: all.slice((page - 1) * perPage, page * perPage),
    headers: { ...(links.length > 0 && { link: links.join(', ') }) },
  };
}

/** What is no number of a page counts as not given. */
function readNumber(text: string | null, otherwise: number): number {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : otherwise;
}

function linkTo(url: URL, page: number, relation: string): string {
  const linked = new URL(url);
  linked.searchParams.set('page', String(page));
  return `<${linked}>; rel="${relation}"`;
}
