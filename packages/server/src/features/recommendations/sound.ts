import { recommendationIdMax } from '@carrel/api'
import { limits, type LibraryEntry, type Recommendation, type RecommendationsReply } from '@carrel/plugin-sdk/protocol'
import { plainText } from '../../plugins/fault.ts'
import type { Contributed } from './merge.ts'

/** The row stores it without what has a column of its own. */
export type CheckedItem = Omit<Contributed, 'externalId' | 'score' | 'serviceSeriesId'>

export interface SoundItem {
  readonly externalId: string
  readonly score: number
  readonly seriesId: string | null
  readonly basedOnIds: readonly string[]
  readonly item: CheckedItem
}

const textsMax = { title: 500, reason: 1000, summary: 4000, name: 200, word: 100, url: 2000 } as const
const basedOnMax = 10
const genresMax = 50
const tagsMax = 50
const int32Max = 2_147_483_647

/**
 * It sanitises an answer, which fits the protocol but is not trusted otherwise: no more than was asked for, each once,
 * no endless text, only web addresses, and no series of ours that the plugin was not told of.
 */
export const soundItems = (
  { recommendations }: RecommendationsReply,
  library: readonly Pick<LibraryEntry, 'seriesId' | 'title'>[],
): SoundItem[] => {
  const seriesIds = new Set(library.map(({ seriesId }) => seriesId))
  const byTitle = new Map(library.map(({ seriesId, title }) => [title, seriesId]))
  const sound = new Map<string, SoundItem>()
  for (const each of recommendations) {
    const { externalId } = each
    if (!isId(externalId) || each.title.trim() === '' || sound.has(externalId)) continue
    sound.set(externalId, soundItem(each, seriesIds, byTitle))
    if (sound.size === limits.results) break
  }
  return [...sound.values()]
}

/** Such an id can be stored, and put into an address. */
const isId = (id: string): boolean => id.length <= recommendationIdMax && id.isWellFormed() && !/\p{Cc}/u.test(id)

const soundItem = (
  each: Recommendation,
  seriesIds: ReadonlySet<string>,
  byTitle: ReadonlyMap<string, string>,
): SoundItem => {
  const basedOn = (each.basedOn ?? []).slice(0, basedOnMax)
  return {
    externalId: each.externalId,
    score: clamp(each.score, 0, 1),
    seriesId: each.codexSeriesId != null && seriesIds.has(each.codexSeriesId) ? each.codexSeriesId : null,
    basedOnIds: basedOn.flatMap((title) => byTitle.get(title) ?? []),
    item: {
      title: plain(each.title, textsMax.title),
      reason: plain(each.reason, textsMax.reason),
      basedOn: texts(basedOn, textsMax.title),
      countryOfOrigin: text(each.countryOfOrigin, textsMax.word),
      coverUrl: webAddress(each.coverUrl),
      externalUrl: webAddress(each.externalUrl),
      format: text(each.format, textsMax.word),
      genres: texts((each.genres ?? []).slice(0, genresMax), textsMax.word),
      inLibrary: each.inLibrary === true,
      popularity: clampWhole(each.popularity, 0, int32Max),
      rating: clampWhole(each.rating, 0, 100),
      startYear: clampWhole(each.startYear, -int32Max, int32Max),
      status: statusOf(each.status),
      summary: text(each.summary, textsMax.summary),
      tags: tagsOf(each.tags),
      totalChapterCount: each.totalChapterCount ?? null,
      totalVolumeCount: clampWhole(each.totalVolumeCount, 0, int32Max),
    },
  }
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

const clampWhole = (value: number | null | undefined, least: number, most: number): number | null =>
  value == null ? null : clamp(Math.round(value), least, most)

const text = (value: string | null | undefined, lengthMax: number): string | null =>
  value == null ? null : plain(value, lengthMax)

/** A pair of characters that was cut in two is none. */
const plain = (value: string, lengthMax: number): string => plainText(value, lengthMax).toWellFormed()

const texts = (values: readonly string[], lengthMax: number): string[] => values.map((value) => plain(value, lengthMax))

const tagsOf = (tags: Recommendation['tags']): CheckedItem['tags'] =>
  tags == null
    ? null
    : tags.slice(0, tagsMax).map(({ name, category, rank }) => ({
        name: plain(name, textsMax.name),
        category: plain(category ?? '', textsMax.word),
        rank: clampWhole(rank, 0, 100) ?? 0,
      }))

const statuses = ['ongoing', 'ended', 'hiatus', 'abandoned', 'unknown'] as const

const statusOf = (status: string | null | undefined): CheckedItem['status'] =>
  status == null ? null : (statuses.find((each) => each === status) ?? 'unknown')

const webAddress = (address: string | null | undefined): string | null => {
  if (address == null || address.length > textsMax.url || !URL.canParse(address)) return null
  const { protocol, href } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
