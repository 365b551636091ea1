import { type TopLevelValue, readTopLevel } from './backup-file.ts'
import {
  float32In,
  type Message,
  messagesIn,
  readMessage,
  signedIn,
  signedListIn,
  textIn,
  textsIn,
  truthIn,
} from './protobuf.ts'

/**
 * The fields of a backup of Mihon and its family, by their numbers. What equals its default is left out of the file. Forks add fields of their own
 * from 500 up, which nobody here asks for.
 */
const backupField = { manga: 1, category: 2, source: 101, preferences: [104, 105], stores: 106 } as const

interface Category {
  readonly name: string
  /** Manga name their categories by it, and not by the id. */
  readonly order: bigint
}

export interface Manga {
  readonly source: bigint
  readonly url: string
  readonly title: string
  readonly isFavourite: boolean
  readonly categories: readonly bigint[]
  readonly notes: string
  readonly hasDescription: boolean
  readonly excludedScanlators: number
  readonly chapters: readonly Chapter[]
  readonly tracking: readonly Tracking[]
  readonly history: ReadonlyMap<string, History>
}

export interface Chapter {
  readonly url: string
  readonly name: string
  readonly isRead: boolean
  readonly isBookmarked: boolean
  /** From 0. */
  readonly lastPageRead: bigint
  readonly number: number
  /** In seconds. */
  readonly modifiedAt: bigint
}

interface History {
  /** In milliseconds, as all times but `modifiedAt`. */
  readonly lastRead: bigint
  readonly readMs: bigint
}

export interface Tracking {
  readonly tracker: bigint
  readonly mediaId: bigint
  readonly url: string
  readonly score: number
}

export interface Heads {
  readonly categories: readonly Category[]
  readonly sources: ReadonlyMap<bigint, string>
  /** How many values of these there are: nothing of them is read. */
  readonly preferences: number
  readonly stores: number
}

const headsMax = 20_000

/** What comes behind all manga, and is needed before them: the file is read twice. */
export const readHeads = async (path: string): Promise<Heads> => {
  const categories: Category[] = []
  const sources = new Map<bigint, string>()
  const fields: number[] = [backupField.category, backupField.source, ...backupField.preferences, backupField.stores]
  let [preferences, stores] = [0, 0]
  for await (const { field, bytes } of readTopLevel(path, new Set(fields))) {
    if (field === backupField.stores) stores += 1
    else if (field !== backupField.category && field !== backupField.source) preferences += 1
    else if (categories.length + sources.size < headsMax) {
      const message = readMessage(bytes)
      if (field === backupField.category)
        categories.push({ name: textIn(message, 1) ?? '', order: signedIn(message, 2) ?? 0n })
      else sources.set(signedIn(message, 2) ?? 0n, textIn(message, 1) ?? '')
    }
  }
  return { categories, sources, preferences, stores }
}

export async function* readManga(path: string): AsyncGenerator<Manga> {
  for await (const { bytes } of readTopLevel(path, new Set([backupField.manga]))) yield mangaOf(bytes)
}

const mangaOf = (bytes: TopLevelValue['bytes']): Manga => {
  const message = readMessage(bytes)
  return {
    source: signedIn(message, 1) ?? 0n,
    url: textIn(message, 2) ?? '',
    title: textIn(message, 3) ?? '',
    // It is the one truth that is left out when it holds.
    isFavourite: truthIn(message, 100) ?? true,
    categories: signedListIn(message, 17),
    notes: textIn(message, 110) ?? '',
    hasDescription: textIn(message, 6) !== undefined || textsIn(message, 7).length > 0,
    excludedScanlators: textsIn(message, 108).length,
    chapters: messagesIn(message, 16).map(chapterOf),
    tracking: messagesIn(message, 18).map(trackingOf),
    history: new Map(messagesIn(message, 104).map(historyOf)),
  }
}

const chapterOf = (message: Message): Chapter => ({
  url: textIn(message, 1) ?? '',
  name: textIn(message, 2) ?? '',
  isRead: truthIn(message, 4) ?? false,
  isBookmarked: truthIn(message, 5) ?? false,
  lastPageRead: signedIn(message, 6) ?? 0n,
  number: float32In(message, 9) ?? 0,
  modifiedAt: signedIn(message, 11) ?? 0n,
})

const historyOf = (message: Message): readonly [string, History] => [
  textIn(message, 1) ?? '',
  { lastRead: signedIn(message, 2) ?? 0n, readMs: signedIn(message, 3) ?? 0n },
]

/** The id of the work was a smaller number once, in a field of its own. */
const trackingOf = (message: Message): Tracking => ({
  tracker: signedIn(message, 1) ?? 0n,
  mediaId: signedIn(message, 100) ?? signedIn(message, 3) ?? 0n,
  url: textIn(message, 4) ?? '',
  score: float32In(message, 8) ?? 0,
})
