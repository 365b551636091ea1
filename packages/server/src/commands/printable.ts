/**
 * Another server's names may hold anything: what would move the cursor of a terminal, colour it, or turn the direction of a line
 * is shown as what it is, and does nothing.
 */
export const printable = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
