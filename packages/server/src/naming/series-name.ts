import { readBrackets } from './brackets.ts'
import { type Findings, startReading } from './findings.ts'
import { applyMarkerRules } from './marker-rules.ts'
import { isSeparator, plainName, trimTitle } from './plain-text.ts'

/** It is what the name of a folder says of the series in it. */
export interface SeriesName {
  /** The title is never empty. */
  readonly title: string
  readonly year: number | null
  readonly volume: number | null
  readonly edition: string | null
  readonly language: string | null
  readonly groups: readonly string[]
}

/** The books of a folder come one after the other, and each asks what its folder and those above it say. */
export const parseSeriesName = (folder: string): SeriesName => {
  const cached = lately.get(folder)
  if (cached) return cached
  if (lately.size >= latelyMax) lately.clear()
  const parsed = readSeriesName(folder)
  lately.set(folder, parsed)
  return parsed
}

const lately = new Map<string, SeriesName>()
const latelyMax = 64

const readSeriesName = (folder: string): SeriesName => {
  const plain = plainName(folder)
  const findings: Findings = { groups: [], years: [] }
  const text = readBrackets(plain.text, findings, false)
  const reading = startReading(text, findings)
  applyMarkerRules(reading)
  // A folder that holds volumes or chapters says so at its end; elsewhere the words belong to the title.
  const [first] = reading.markers
    .filter(({ axis }) => axis === 'volume' || axis === 'chapter')
    .toSorted((a, b) => a.start - b.start)
  const isAtEnd = first !== undefined && isSeparator(reading.unread.slice(first.start))
  const title = trimTitle(isAtEnd ? text.slice(0, first.start) : text) || trimTitle(text)
  return {
    title: title || plain.stem || folder.trim() || '?',
    year: findings.years[0] ?? null,
    volume: isAtEnd ? (findings.volume ?? null) : null,
    edition: findings.edition ?? null,
    language: findings.language ?? null,
    groups: findings.groups,
  }
}
