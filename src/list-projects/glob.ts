/**
 * Whether a glob matches the whole text, case-sensitively: `*` stands for any characters, `?` for one, and everything else
 * for itself, slashes, dots, braces and brackets too. The libraries for globs are made for paths and give those a meaning.
 *
 * The last `*` alone is tried again: whatever an earlier one took, a later one could take as well. So the work grows with
 * the product of the lengths, where a regular expression's grows with a power for each `*`.
 */
export function matchesGlob(glob: string, text: string): boolean {
  // By characters, so that `?` is never half of one.
  const wanted = [...glob];
  const given = [...text];
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let next = 0; next < given.length; ) {
    if (wanted[at] === '*') {
      star = at;
      resume = next;
      at += 1;
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === given[next])) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      next = resume;
    } else {
      return false;
    }
  }
  return wanted.slice(at).every((rest) => rest === '*');
}
