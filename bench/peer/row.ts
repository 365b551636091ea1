import { median } from '../statistics.ts'

/** One line of the table: the same of each server, once for each round. */
export interface Row {
  readonly name: string
  readonly unit: string
  /** In the order of the servers. */
  readonly values: readonly (readonly number[])[]
  /** Less is better where this is left out. */
  readonly isMoreBetter?: true
  readonly note?: string
}

/** A table in Markdown, of medians, with how many times the first server is ahead of each other one. */
export const tableOf = (names: readonly string[], rows: readonly Row[]): string => {
  const others = names.slice(1)
  const head = ['what', 'unit', ...names, ...others.map((name) => `ahead of ${name}`), 'note']
  const lines = rows.map(({ name, unit, values, isMoreBetter, note = '' }) => {
    const medians = values.map((of) => (of.length === 0 ? undefined : median(of)))
    const [ours] = medians
    const ahead = others.map((_, at) => aheadOf(ours, medians[at + 1], isMoreBetter === true))
    return [name, unit, ...names.map((_, at) => short(medians[at])), ...ahead, note]
  })
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const aheadOf = (ours: number | undefined, theirs: number | undefined, isMoreBetter: boolean): string => {
  if (ours === undefined || theirs === undefined) return '–'
  const ratio = isMoreBetter ? ours / theirs : theirs / ours
  return Number.isFinite(ratio) ? `${short(ratio)} ×` : '–'
}

const short = (value: number | undefined): string => {
  if (value === undefined) return '–'
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}
