/**
 * Letters that are written apart and that no decomposition takes apart (NFKD leaves them), in lower case, as they are typed
 * where no key has them. Several letters for one where that is how people write it: `Straße` is `strasse`.
 */
const spelledOut: Readonly<Record<string, string>> = {
  ...eachOf('a', 'ⱥ'),
  ...eachOf('b', 'ƀɓƃ'),
  ...eachOf('c', 'ƈȼ'),
  ...eachOf('d', 'đðɖɗƌ'),
  ...eachOf('e', 'ǝəɛɇ'),
  ...eachOf('f', 'ƒ'),
  ...eachOf('g', 'ɠǥɣ'),
  ...eachOf('h', 'ħⱨ'),
  ...eachOf('i', 'ıɨɩ'),
  ...eachOf('j', 'ȷɉ'),
  ...eachOf('k', 'ƙⱪ'),
  ...eachOf('l', 'łƚɫⱡ'),
  ...eachOf('n', 'ŋɲƞ'),
  ...eachOf('o', 'øɔɵ'),
  ...eachOf('p', 'ƥᵽ'),
  ...eachOf('q', 'ĸɋ'),
  ...eachOf('r', 'ɍɽ'),
  ...eachOf('s', 'ȿʂ'),
  ...eachOf('t', 'ŧƭʈⱦ'),
  ...eachOf('u', 'ʉ'),
  ...eachOf('v', 'ʋⱴ'),
  ...eachOf('y', 'ƴɏ'),
  ...eachOf('z', 'ƶȥɀⱬ'),
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  // The same letter, at the end of a word.
  ς: 'σ',
}

function eachOf(plain: string, letters: string): Record<string, string> {
  return Object.fromEntries(Array.from(letters, (letter) => [letter, plain]))
}

const letters = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'gu')

/**
 * The text must be in lower case and without accents. Each letter is replaced by itself, so that a part of a text
 * becomes a part of the result.
 */
export const spellOut = (text: string): string => text.replace(letters, (letter) => spelledOut[letter] ?? letter)
