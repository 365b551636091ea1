import type { Figure, Gate } from './figure.ts'
import { median } from './statistics.ts'

const widths = { name: 46, value: 12, unit: 14 }

export const printFigures = (figures: readonly Figure[]): void => {
  for (const figure of figures) console.log(lineOf(figure))
}

/** The figures whose median is outside their gate. */
export const failedOf = (figures: readonly Figure[]): Figure[] =>
  figures.filter(({ gate, values }) => gate && !keepsTo(gate, median(values)))

const lineOf = ({ name, unit, values, gate }: Figure): string => {
  const spread = values.length > 1 ? `${short(Math.min(...values))} – ${short(Math.max(...values))}` : ''
  const verdict = gate ? `${keepsTo(gate, median(values)) ? 'ok' : 'FAILED'}: ${wordsOf(gate)}` : ''
  return [
    name.padEnd(widths.name),
    short(median(values)).padStart(widths.value),
    ` ${unit}`.padEnd(widths.unit),
    spread.padEnd(20),
    verdict,
  ]
    .join(' ')
    .trimEnd()
}

const keepsTo = ({ min = -Infinity, max = Infinity }: Gate, value: number): boolean => value >= min && value <= max

const wordsOf = ({ min, max }: Gate): string =>
  [min !== undefined && `at least ${min}`, max !== undefined && `at most ${max}`].filter(Boolean).join(', ')

const short = (value: number): string =>
  Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
