/** Numbers as people write them in names: `012.5`, `10½`, `1⁄2`, `IV`, `three`, `十二`. Null when it is none. */
export const readNumeral = (written: string): number | null =>
  readDigits(written) ?? readRoman(written) ?? readWord(written) ?? readKanji(written)

/** It reads only what starts with digits or is a fraction; what follows (`1A`, `1.MU`) is left to the caller. */
export const readDigits = (written: string): number | null => {
  const match = /^(-?)(\d{1,9}(?:[.,]\d{1,3})?)?(?:([½¼¾⅓⅔])|(?<=^-?\d{1,2})⁄(\d{1,2}))?/.exec(written)
  if (!match) return null
  const [, minus, digits, fraction, divisor] = match
  if (digits === undefined && fraction === undefined) return null
  const integer = digits === undefined ? 0 : Number(digits.replace(',', '.'))
  const value =
    divisor === undefined ? integer + (fractions[fraction ?? ''] ?? 0) : integer / Math.max(1, Number(divisor))
  return minus === '-' && value !== 0 ? -value : value
}

const fractions: Readonly<Record<string, number>> = { '½': 0.5, '¼': 0.25, '¾': 0.75, '⅓': 1 / 3, '⅔': 2 / 3 }

const romanValues: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 }
const romanNumeral = /^(?:C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/

const readRoman = (written: string): number | null => {
  if (written === '' || !romanNumeral.test(written)) return null
  const values = [...written].map((letter) => romanValues[letter] ?? 0)
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0)
}

export const numberWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const

const readWord = (written: string): number | null => {
  const index = numberWords.findIndex((word) => word === written.toLowerCase())
  return index < 0 ? null : index + 1
}

const kanjiDigits: Readonly<Record<string, number>> = {
  〇: 0,
  零: 0,
  一: 1,
  壱: 1,
  二: 2,
  弐: 2,
  两: 2,
  三: 3,
  参: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
}
const kanjiUnits: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 }
export const kanjiNumerals = [...Object.keys(kanjiDigits), ...Object.keys(kanjiUnits)].join('')

const readKanji = (written: string): number | null => {
  if (written === '') return null
  let sum = 0
  let digit: number | undefined
  for (const character of written) {
    const unit = kanjiUnits[character]
    const next = kanjiDigits[character]
    if (unit !== undefined) {
      sum += (digit ?? 1) * unit
      digit = undefined
    } else if (next === undefined) {
      return null
    } else {
      // 二〇 is written by place, 二十 by unit.
      digit = (digit ?? 0) * 10 + next
    }
  }
  return sum + (digit ?? 0)
}
