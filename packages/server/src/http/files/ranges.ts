/** From one byte up to, not with, another. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Whoever asks for more pieces than this wants something else. */
const rangesMax = 50
const unit = /^bytes=(.+)$/i
const one = /^(\d*)-(\d*)$/

/**
 * What a `Range` header asks for of so many bytes (RFC 9110, 14.2). `all` when it says nothing one need go by,
 * `none` when not one of its parts is there.
 */
export const parseRanges = (header: string | undefined, size: number): readonly Range[] | 'all' | 'none' => {
  const [, list] = unit.exec(header?.trim() ?? '') ?? []
  if (list === undefined) return 'all'
  const specs = list.split(',').map((spec) => one.exec(spec.trim()))
  if (specs.length > rangesMax || specs.some((spec) => !isRange(spec))) return 'all'
  const ranges = specs.flatMap((spec) => rangeOf(spec?.[1] ?? '', spec?.[2] ?? '', size) ?? [])
  if (ranges.length === 0) return 'none'
  return united(ranges)
}

const isRange = (spec: RegExpExecArray | null): boolean => {
  const [, first = '', last = ''] = spec ?? []
  if (first === '') return last !== ''
  return last === '' || Number(first) <= Number(last)
}

const rangeOf = (first: string, last: string, size: number): Range | undefined => {
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length > 0 ? { from: size - length, to: size } : undefined
  }
  const from = Number(first)
  const to = last === '' ? size : Math.min(Number(last) + 1, size)
  return from < size ? { from, to } : undefined
}

/** Parts that lie one over another are one: nobody gets a file multiplied. Others keep their order. */
const united = (ranges: readonly Range[]): readonly Range[] => {
  const sorted = [...ranges].sort((one, other) => one.from - other.from)
  const overlap = sorted.some(({ from }, index) => index > 0 && from < (sorted[index - 1]?.to ?? 0))
  if (!overlap) return ranges
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of sorted) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}
