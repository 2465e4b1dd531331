import fc from 'fast-check';

/** Pieces that mean something to the runner, to Markdown, HTML, Mermaid or a terminal. */
const PIECES = [
  '::error::',
  '::add-mask::x',
  '::stop-commands::t',
  '::set-output name=a::b',
  '##[',
  '##[error]',
  '##[add-mask]',
  ':',
  '#',
  '[',
  ']',
  '\n',
  '\r',
  '\r\n',
  '\u0085',
  '\u2028',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\ufeff',
  '\u202e',
  '\u001b[2J',
  '\u0000',
  '\ud800',
  '\udc00',
  '%0A',
  '%25',
  '|',
  '---',
  '```',
  '```mermaid\n',
  '`',
  '<script>',
  '</code>',
  '<!--',
  '-->',
  '<br>',
  '![x](https://evil.example/x.png)',
  '[x](https://evil.example)',
  'https://evil.example',
  'www.evil.example',
  '@someone',
  '#123',
  ':tada:',
  '**',
  '_',
  '~~',
  '&lt;',
  '&#60;',
  '\\',
  '$x$',
  '%%{init: {}}%%',
  'section x',
  'click a href "javascript:x"',
  'dateFormat YYYY',
  ';',
  ' ',
  'a',
  'Z9',
  '😀',
  'é',
] as const;

/**
 * Any text at all, with halves of characters among it. The library's own takes a second to prepare.
 * @param longest in UTF-16 units
 */
export function anyText(longest = 10): fc.Arbitrary<string> {
  const unit = fc.oneof(fc.integer({ max: 0xffff, min: 0 }), fc.integer({ max: 0x7e, min: 0x20 }));
  return fc.array(unit, { maxLength: longest }).map((units) => String.fromCharCode(...units));
}

/** Text of an attacker, or of an unlucky user: random pieces, among them those that mean something. */
export function hostileText(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
    { weight: 1, arbitrary: anyText(4) },
  );
  return fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
}
