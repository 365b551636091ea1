import type { ReadingYear } from '@carrel/api'
import { type Amount, totalOf } from '../../figures.ts'
import { type SeenSeries, seenSeries } from '../seen-series.ts'

/** What is said in the picture, in the language of whoever shares it. */
export interface PictureWords {
  readonly title: string
  readonly time: string
  /** That there was more, or that some of it is an estimate. */
  readonly aboutTime: readonly string[]
  readonly facts: readonly { readonly figure: string; readonly name: string }[]
  readonly mostRead: string
  readonly months: readonly string[]
  readonly amounts: readonly Amount[]
}

export type Ink = 'text' | 'quiet' | 'accent'

interface TextItem {
  readonly kind: 'text'
  readonly text: string
  readonly x: number
  /** The letters stand on this line. */
  readonly y: number
  readonly size: number
  readonly weight: number
  readonly ink: Ink
  /** Titles of works speak serif. */
  readonly isWork?: true
  /** It means nothing without the text after it. */
  readonly isFigure?: true
  /** What is longer is made smaller, and in the end cut off. */
  readonly width: number
  readonly align?: 'center'
}

interface BarItem {
  readonly kind: 'bar'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly ink: Ink | 'track'
  readonly isEstimate?: true
}

export interface CoverItem {
  readonly kind: 'cover'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly series: SeenSeries
}

/** The arch that stands for the app. */
interface MarkItem {
  readonly kind: 'mark'
  readonly x: number
  readonly y: number
  readonly width: number
}

export type PictureItem = TextItem | BarItem | CoverItem | MarkItem

export interface Picture {
  readonly width: number
  readonly height: number
  /** From the side where lines begin. */
  readonly items: readonly PictureItem[]
  /** All that can be read in it, and whose covers can be seen: it takes the picture's place for whoever sees none. */
  readonly lines: readonly string[]
}

const width = 1080
const height = 1350
const edge = 84
const inner = width - 2 * edge
const coversMax = 5
const coverGap = 24

/** Where everything stands. Nothing here knows a canvas: what is drawn can be told without drawing it. */
export const pictureOf = (
  year: Pick<ReadingYear, 'year' | 'months' | 'series'>,
  words: PictureWords,
  { withNames }: { readonly withNames: boolean },
): Picture => {
  const series = withNames ? seenSeries(year).slice(0, coversMax) : []
  const [first] = series
  const monthsHeight = series.length > 0 ? 150 : 380
  const items: PictureItem[] = [
    line(words.title, { y: 142, size: 46, weight: 620, ink: 'accent' }),
    ...(words.aboutTime.length > 0
      ? [line(words.aboutTime.join(' · '), { y: 352, size: 30, weight: 450, ink: 'quiet' })]
      : []),
    line(words.time, { y: 300, size: 148, weight: 740, ink: 'text' }),
    ...factsAt(430, words.facts),
    ...monthsAt({ y: 620, height: monthsHeight }, words),
    ...(first === undefined ? [] : mostReadAt(878, series, words.mostRead)),
    { kind: 'mark', x: edge, y: height - 104, width: 44 },
    { ...line('Carrel', { y: height - 71, size: 32, weight: 680, ink: 'text' }), x: edge + 58 },
  ]
  return { width, height, items, lines: linesOf(items) }
}

const line = (text: string, { y, size, weight, ink }: Pick<TextItem, 'y' | 'size' | 'weight' | 'ink'>): TextItem => ({
  kind: 'text',
  text,
  x: edge,
  y,
  size,
  weight,
  ink,
  width: inner,
})

/** Figures beside each other, each over what it counts. */
const factsAt = (top: number, facts: PictureWords['facts']): TextItem[] => {
  const column = inner / Math.max(1, facts.length)
  return facts.flatMap(({ figure, name }, index) => {
    const slot = { x: edge + index * column, width: column - coverGap }
    return [
      { ...line(figure, { y: top + 56, size: 60, weight: 700, ink: 'text' }), ...slot, isFigure: true } as const,
      { ...line(name, { y: top + 96, size: 25, weight: 450, ink: 'quiet' }), ...slot },
    ]
  })
}

interface Band {
  readonly y: number
  readonly height: number
}

/** Twelve bars on one ground. */
const monthsAt = ({ y, height: bandHeight }: Band, { months, amounts }: PictureWords): PictureItem[] => {
  const step = inner / months.length
  const largest = Math.max(1, ...amounts.map(totalOf))
  const barWidth = step - 18
  const ground = y + bandHeight
  return [
    { kind: 'bar', x: edge, y: ground, width: inner, height: 2, ink: 'track' },
    ...months.flatMap((name, index): PictureItem[] => {
      const { sure = 0, estimated = 0 } = amounts[index] ?? {}
      const x = edge + index * step + (step - barWidth) / 2
      const [full, part] = [sure, estimated].map((value) => Math.round((value / largest) * bandHeight))
      const isBest = sure + estimated === largest
      const bar = (from: number, tall: number) =>
        ({
          kind: 'bar',
          x,
          y: ground - from - tall,
          width: barWidth,
          height: tall,
          ink: isBest ? 'accent' : 'quiet',
        }) as const
      return [
        ...(full ? [bar(0, full)] : []),
        ...(part ? [{ ...bar(full ?? 0, part), isEstimate: true } as const] : []),
        {
          ...line(name, { y: ground + 38, size: 24, weight: isBest ? 650 : 450, ink: isBest ? 'text' : 'quiet' }),
          x: edge + index * step,
          width: step,
          align: 'center',
        },
      ]
    }),
  ]
}

/** The covers of what was read most, and the name of the first. */
const mostReadAt = (top: number, series: readonly SeenSeries[], title: string): PictureItem[] => {
  const coverWidth = (inner - coverGap * (coversMax - 1)) / coversMax
  const [first] = series
  return [
    line(title, { y: top, size: 28, weight: 450, ink: 'quiet' }),
    ...(first === undefined
      ? []
      : [{ ...line(first.name, { y: top + 54, size: 48, weight: 700, ink: 'text' }), isWork: true } as const]),
    ...series.map((each, index): CoverItem => {
      const x = edge + index * (coverWidth + coverGap)
      return { kind: 'cover', x, y: top + 88, width: coverWidth, height: coverWidth * 1.5, series: each }
    }),
  ]
}

/** What can be read, in its order; the initials of months say nothing without their bars. */
const linesOf = (items: readonly PictureItem[]): string[] => {
  const lines: string[] = []
  let figure = ''
  for (const item of items) {
    const text = item.kind === 'text' ? item.text : item.kind === 'cover' ? item.series.name : ''
    const isRead = item.kind === 'cover' ? !lines.includes(text) : item.kind === 'text' && item.align === undefined
    if (!isRead) continue
    if (item.kind === 'text' && item.isFigure) {
      figure = `${text} `
      continue
    }
    lines.push(figure + text)
    figure = ''
  }
  return lines
}
