import type { ReadingYear } from '@carrel/api'
import type { Tone } from '../../../ui/cover/toned.ts'
import type { Figures } from '../figures.ts'

export interface SeenSeries {
  readonly id: string
  readonly name: string
  readonly coverVersion: string
  readonly placeholder: string | null
  readonly tone: Tone | null
  readonly books: number
  readonly figures: Figures
}

/** It leaves out what has no page and no cover: what is hidden has neither, and no name. The first was read longest. */
export const seenSeries = ({ series }: Pick<ReadingYear, 'series'>): readonly SeenSeries[] =>
  series.flatMap(({ seriesId, seriesName, cover, books, ...figures }) =>
    seriesId === null || seriesName === null || cover === null
      ? []
      : [{ id: seriesId, name: seriesName, ...cover, books, figures }],
  )
