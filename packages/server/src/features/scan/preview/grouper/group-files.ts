import type { Grouping } from '@carrel/api'
import { agreedTitle } from '../../../../naming/agreed-title.ts'
import { advise } from '../../../../naming/grouping/advice/advise.ts'
import { asksBooks, groupByPath, type PathInRoot } from '../../../../naming/grouping/grouping.ts'
import type { GroupingHints } from '../../../../naming/grouping/grouping-policy.ts'
import { sortKey } from '../../../../platform/text/sort-key.ts'
import { bestFiles, type FileToChoose } from '../../several-files/same-book.ts'
import type { FileToGroup, GroupedFiles, GroupedSeries, StandingSeries } from './messages.ts'

const seriesShown = 500
const samplesShown = 5

interface Group {
  readonly seriesId: string | null
  /** The path of its first book says this. */
  readonly title: string
  readonly path: string
  readonly was: string | null
  readonly samples: string[]
  bookCount: number
  /** What its books say it is called, as JSON, and how many say it. */
  readonly titles: Map<string, number>
}

/** Files, put into series as a scan would put them: where people want them, else where the grouping does. */
export class FileGroups {
  readonly #grouping: Grouping
  readonly #rootNames: Readonly<Record<string, string>>
  readonly #standing = new Map<string, { readonly name: string; readonly statedTitle: string | null }>()
  /** These have books now. */
  readonly #filled = new Set<string>()
  readonly #idOf = new Map<string, string>()
  readonly #groups = new Map<string, Group>()
  readonly #files: (FileToChoose & { readonly rootId: string; readonly file: FileToGroup })[] = []
  readonly #paths: PathInRoot[] = []
  #unreadFiles = 0
  #booksMoved = 0

  constructor({
    grouping,
    rootNames,
  }: {
    readonly grouping: Grouping
    readonly rootNames: Readonly<Record<string, string>>
  }) {
    this.#grouping = grouping
    this.#rootNames = rootNames
  }

  know(series: readonly StandingSeries[], merged: readonly (readonly [key: string, intoId: string])[]): void {
    for (const [id, key, name, statedTitle, bookCount] of series) {
      this.#standing.set(id, { name, statedTitle })
      this.#idOf.set(key, id)
      if (bookCount > 0) this.#filled.add(id)
    }
    for (const [key, intoId] of merged) this.#idOf.set(key, intoId)
  }

  add(rootId: string, files: readonly FileToGroup[]): void {
    for (const file of files) {
      const [folder, name, seriesId, , , , isFolder] = file
      // A book that is known already has its file, whatever else lies beside that.
      this.#files.push({ rootId, folder, name, isFolder, isChosen: seriesId !== null, hasFault: false, file })
    }
  }

  #addOne(rootName: string, [folder, name, was, byHand, claimsText, isRead]: FileToGroup): void {
    const claims = claimsText === null ? {} : (JSON.parse(claimsText) as SeriesClaims)
    const path = { rootName, path: folder + name }
    const target = groupByPath(this.#grouping, path, hintsIn(claims))
    const seriesId = byHand ?? this.#idOf.get(target.key) ?? null
    this.#paths.push(path)
    if (!isRead && asksBooks(this.#grouping)) this.#unreadFiles += 1
    if (was !== null && was !== seriesId) this.#booksMoved += 1
    const groupKey = seriesId === null ? `key ${target.key}` : `id ${seriesId}`
    const group = this.#groups.get(groupKey) ?? {
      seriesId,
      title: target.title,
      path: target.path ?? folder,
      was,
      samples: [],
      bookCount: 0,
      titles: new Map<string, number>(),
    }
    this.#groups.set(groupKey, group)
    group.bookCount += 1
    if (group.samples.length < samplesShown) group.samples.push(name)
    for (const title of claims.title ?? []) group.titles.set(title, (group.titles.get(title) ?? 0) + 1)
  }

  finish(): GroupedFiles {
    for (const { rootId, file } of bestFiles({ grouping: this.#grouping }, this.#files))
      this.#addOne(this.#rootNames[rootId] ?? '', file)
    const groups = [...this.#groups.values()]
    const going = new Set(groups.flatMap(({ seriesId }) => seriesId ?? []))
    const emptied = [...this.#filled].filter((id) => !going.has(id))
    return {
      series: this.#shown(groups),
      bookCount: this.#paths.length,
      seriesCount: groups.length,
      unreadFiles: this.#unreadFiles,
      booksMoved: this.#booksMoved,
      seriesAdded: groups.length - going.size,
      seriesEmptied: emptied.length,
      emptiedIds: emptied.slice(0, seriesShown),
      advice: advise(this.#paths),
    }
  }

  #shown(groups: readonly Group[]): readonly GroupedSeries[] {
    return groups
      .map((group) => ({ group, name: this.#nameOf(group) }))
      .map((each) => ({ ...each, key: sortKey(each.name) }))
      .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
      .slice(0, seriesShown)
      .map(({ group: { seriesId, path, bookCount, samples, was }, name }) => ({
        seriesId,
        name,
        path,
        bookCount,
        sampleBooks: samples,
        was,
      }))
  }

  /** It is chosen as in `catalogue/shown`: somebody's word, then what its books agree on, then its folder. */
  #nameOf({ seriesId, title, titles }: Group): string {
    const standing = this.#standing.get(seriesId ?? '')
    return standing?.statedTitle ?? agreedTitle(titles) ?? standing?.name ?? title
  }
}

/** What a book claims (`catalogue/shown/series/claims`); each value is JSON. */
interface SeriesClaims {
  readonly title?: readonly string[]
  readonly year?: readonly string[]
}

const hintsIn = ({ title, year }: SeriesClaims): GroupingHints => ({
  metadataSeries: title?.[0] === undefined ? undefined : (JSON.parse(title[0]) as string),
  metadataYear: year?.[0] === undefined ? undefined : (JSON.parse(year[0]) as number),
})
