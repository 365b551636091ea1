import { mkdir, rename, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as api from '@carrel/api'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, type Interruption, scanInterrupted, scanNow } from '../../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

/** What a person would expect of the series of one folder. */
interface ExpectedSeries {
  /** Undefined: it was made by the last step, and is asked for once. */
  id: string | undefined
  summary: string | undefined
  readonly isRestricted: boolean
}

interface Folder {
  readonly books: readonly number[]
  readonly series: ExpectedSeries
  /** What has become part of the series by being joined with it, the newest first. */
  readonly parts: readonly JoinedPart[]
}

interface JoinedPart extends Folder {
  /** What was said of the larger one before. */
  readonly summaryBefore: string | undefined
}

/** How everything was before a step, and what brings the files back to it. */
interface StepBack {
  readonly folders: ReadonlyMap<string, Folder>
  readonly away: readonly { readonly name: string; readonly folder: Folder }[]
  readonly summaries: ReadonlyMap<ExpectedSeries, string | undefined>
  readonly bringFilesBack: (() => Promise<unknown>)[]
}

/** The folders of a library, those that were taken out of it, and whose series they are. */
class Walk {
  folders = new Map<string, Folder>()
  away: { readonly name: string; readonly folder: Folder }[] = []
  readonly #on: LibraryFolder
  readonly #back: StepBack[] = []
  #names = 0

  constructor(on: LibraryFolder) {
    this.#on = on
  }

  newName(): string {
    this.#names += 1
    return this.#names % 3 === 0 ? `Shelf ${this.#names}/Tale ${this.#names}` : `Tale ${this.#names}`
  }

  async begin(books: readonly number[], series: ExpectedSeries): Promise<void> {
    const name = this.newName()
    for (const seed of books) await this.#on.write(`library/${name}/${seed}.cbz`, comic({ seed, pages: 1 }))
    this.folders.set(name, { books: [...books], series, parts: [] })
  }

  /** From here on everything can be brought back to how it is now. */
  note(): void {
    const all = [...this.folders.values(), ...this.away.map(({ folder }) => folder)]
    this.#back.push({
      folders: new Map(this.folders),
      away: [...this.away],
      summaries: new Map(all.map(({ series }) => [series, series.summary])),
      bringFilesBack: [],
    })
  }

  /** False when it is where it began. */
  async stepBack(): Promise<boolean> {
    const to = this.#back.pop()
    if (!to) return false
    for (const bring of to.bringFilesBack.toReversed()) await bring()
    this.folders = new Map(to.folders)
    this.away = [...to.away]
    for (const [series, summary] of to.summaries) series.summary = summary
    return true
  }

  async rename(from: string): Promise<void> {
    const folder = this.#take(from)
    const to = this.newName()
    await this.#moveForNow(`library/${from}`, `library/${to}`)
    this.folders.set(to, folder)
  }

  async exchange(one: string, other: string): Promise<void> {
    const [first, second] = [this.#take(one), this.#take(other)]
    await this.#moveForNow(`library/${one}`, 'between')
    await this.#moveForNow(`library/${other}`, `library/${one}`)
    await this.#moveForNow('between', `library/${other}`)
    this.folders.set(one, second).set(other, first)
  }

  /**
   * What had been joined is parted again where all of it goes, or all else. Otherwise the larger half is the series, and the
   * other one as restricted; of two equal halves the one that stays.
   */
  async divide(name: string, count: number): Promise<void> {
    const folder = this.#take(name)
    const to = this.newName()
    const [moved, stayed] = [folder.books.slice(0, count), folder.books.slice(count)]
    await this.#moveBooks(moved, name, to)
    const parted = partOf(folder, moved) ?? partOf(folder, stayed)
    if (parted) {
      const isMoved = parted.own.books.every((book) => moved.includes(book))
      this.folders.set(to, isMoved ? parted.own : parted.rest).set(name, isMoved ? parted.rest : parted.own)
      return
    }
    const fresh = { id: undefined, summary: undefined, isRestricted: folder.series.isRestricted }
    const movesMost = moved.length > stayed.length
    const [larger, smaller] = [folder, { series: fresh, parts: [] }]
    this.folders.set(to, { ...(movesMost ? larger : smaller), books: moved })
    this.folders.set(name, { ...(movesMost ? smaller : larger), books: stayed })
  }

  /** Two become one, which is the larger: what is said of it goes before what was said of the other. */
  async join(from: string, to: string): Promise<void> {
    const [goes, stays] = [this.#take(from), this.#take(to)]
    await this.#moveBooks(goes.books, from, to)
    const isLarger =
      goes.books.length > stays.books.length ||
      (goes.books.length === stays.books.length && (goes.series.id ?? '') < (stays.series.id ?? ''))
    const [winner, loser] = isLarger ? [goes, stays] : [stays, goes]
    const { series } = winner
    const parts = [{ ...loser, summaryBefore: series.summary }, ...winner.parts]
    series.summary ??= loser.series.summary
    this.folders.set(to, { books: [...stays.books, ...goes.books], series, parts })
  }

  async takeAway(name: string): Promise<void> {
    const folder = this.#take(name)
    await this.#moveForNow(`library/${name}`, `away/${name}`)
    this.away.push({ name, folder })
  }

  async bringBack(underAnotherName: boolean): Promise<void> {
    const returning = this.away.pop()
    if (!returning) return
    const to = underAnotherName || this.folders.has(returning.name) ? this.newName() : returning.name
    await this.#moveForNow(`away/${returning.name}`, `library/${to}`)
    this.folders.set(to, returning.folder)
  }

  #in(name: string, seed: number): string {
    return this.#on.in(`library/${name}/${seed}.cbz`)
  }

  async #moveBooks(books: readonly number[], from: string, to: string): Promise<void> {
    const carry = async (one: string, other: string): Promise<void> => {
      await mkdir(this.#on.in(`library/${other}`), { recursive: true })
      for (const seed of books) await rename(this.#in(one, seed), this.#in(other, seed))
      await rmdir(this.#on.in(`library/${one}`)).catch(() => undefined)
    }
    await carry(from, to)
    this.#back.at(-1)?.bringFilesBack.push(() => carry(to, from))
  }

  async #moveForNow(from: string, to: string): Promise<void> {
    await this.#move(from, to)
    this.#back.at(-1)?.bringFilesBack.push(() => this.#move(to, from))
  }

  #take(name: string): Folder {
    const folder = this.folders.get(name)
    if (!folder) throw new Error(`There is no folder ${name}`)
    this.folders.delete(name)
    return folder
  }

  async #move(from: string, to: string): Promise<void> {
    await mkdir(dirname(this.#on.in(to)), { recursive: true })
    await rename(this.#on.in(from), this.#on.in(to))
    const above = dirname(from)
    if (above !== 'library' && above !== 'away' && above !== '.') await rmdir(this.#on.in(above)).catch(() => undefined)
  }
}

/** When exactly these books lie by themselves and are all that is left of something that was joined, it is itself again. */
const partOf = (folder: Folder, books: readonly number[]): { own: Folder; rest: Folder } | undefined => {
  const { series, parts } = folder
  const index = parts.findIndex((part) => {
    const left = part.books.filter((book) => folder.books.includes(book))
    return left.length === books.length && left.every((book) => books.includes(book))
  })
  const part = parts[index]
  if (!part) return undefined
  const isOfOwn = (each: JoinedPart): boolean =>
    each.books.every((book) => part.books.includes(book) || !folder.books.includes(book))
  const later = parts.slice(0, index)
  series.summary = part.summaryBefore
  for (const each of later.toReversed()) (isOfOwn(each) ? part.series : series).summary ??= each.series.summary
  return {
    own: { books, series: part.series, parts: [...later.filter(isOfOwn), ...part.parts] },
    rest: {
      books: folder.books.filter((book) => !books.includes(book)),
      series,
      parts: [...later.filter((each) => !isOfOwn(each)), ...parts.slice(index + 1)],
    },
  }
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('rename', 'rename', 'exchange', 'divide', 'join', 'takeAway', 'bringBack', 'several'),
    at: fc.nat(100),
    other: fc.nat(100),
    isFull: fc.boolean(),
    interruption: fc.constantFrom<Interruption | undefined>('cancelled', 'killed', undefined),
    beforeWrite: fc.nat(6),
  }),
  { minLength: 5, maxLength: 5 },
)
type Step = (typeof steps extends fc.Arbitrary<infer Steps extends readonly unknown[]> ? Steps : never)[number]

const step = (kind: Step['kind'], position: number, other = 0): Step => {
  return { kind, at: position, other, isFull: false, interruption: undefined, beforeWrite: 0 }
}
/** These went wrong once. */
const examples: [Step[]][] = [
  [[step('join', 1, 2), step('takeAway', 2), step('bringBack', 0)]],
  [[step('join', 1, 2), step('divide', 2, 4)]],
]

const doStep = async (walk: Walk, { kind, at, other }: Step): Promise<void> => {
  const names = [...walk.folders.keys()]
  const name = names[at % names.length] ?? ''
  const second = names[other % names.length] ?? ''
  const books = walk.folders.get(name)?.books.length ?? 0
  if (kind === 'rename') await walk.rename(name)
  else if (kind === 'exchange' && name !== second) await walk.exchange(name, second)
  else if (kind === 'divide' && books > 1) await walk.divide(name, 1 + (other % (books - 1)))
  else if (kind === 'join' && name !== second && areAlike(walk, name, second)) await walk.join(name, second)
  else if (kind === 'takeAway' && names.length > 2) await walk.takeAway(name)
  else if (kind === 'bringBack') await walk.bringBack(other % 2 === 0)
  else if (kind === 'several') for (const each of names.slice(0, 3)) await walk.rename(each)
}

/** Be it in one go, or after it was interrupted. */
const scanAfter = async (
  server: TestServer,
  libraryId: string,
  { isFull, interruption: how, beforeWrite }: Step,
): Promise<void> => {
  if (how !== undefined) await scanInterrupted(server, libraryId, { how, beforeWrite })
  if (how !== 'killed') await scanNow(server, libraryId, isFull ? 'full' : 'changes')
}

/** Otherwise it is for people to decide. */
const areAlike = (walk: Walk, one: string, other: string): boolean =>
  walk.folders.get(one)?.series.isRestricted === walk.folders.get(other)?.series.isRestricted

/** Somebody looks at everything, again and again, and sees nothing of what is restricted. */
const watch = async (
  reader: Person & { readonly textOf: (path: string) => Promise<string> },
  restricted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const seen: string[] = []
  while (!signal.aborted) {
    const query = { pageSize: 200, includeDeleted: true }
    const replies = [
      bodyOf(await reader.call(api.listBooks, { query })),
      bodyOf(await reader.call(api.listSeries, { query: { pageSize: 200 } })),
      bodyOf(await reader.call(api.readHome, { query: { limit: 50 } })),
      bodyOf(await reader.call(api.search, { query: { q: 'tale' } })),
      bodyOf(await reader.call(api.suggest, { query: { q: 'tale' } })),
      await reader.textOf('/opds/v2/recent'),
    ]
    const shown = JSON.stringify(replies)
    seen.push(...[...restricted].filter((each) => shown.includes(each)))
  }
  return seen
}

const check = async (server: TestServer, libraryId: string, walk: Walk, bookIds: ReadonlyMap<number, string>) => {
  const books = await booksOf(server, libraryId)
  for (const [name, { books: seeds, series }] of walk.folders) {
    const rows = seeds.map((seed) => books.get(`${name}/${seed}.cbz`))
    expect(rows.map((row) => row?.id)).toEqual(seeds.map((seed) => bookIds.get(seed)))
    const [id = ''] = rows.map((row) => row?.series_id)
    series.id ??= id
    expect([name, new Set(rows.map((row) => row?.series_id))]).toEqual([name, new Set([series.id])])
    expect([name, rows[0]?.series_books]).toEqual([name, seeds.length])
    if (series.isRestricted) expect(rows.map((row) => row?.age_rating)).toEqual(rows.map(() => 18))
  }
  const metadataRows = await server.context.db.read.selectFrom('series').select(['id', 'metadata']).execute()
  const summaryOf = new Map(
    metadataRows.map(({ id, metadata }) => [id, (JSON.parse(metadata) as { summary?: string }).summary]),
  )
  const all = [...walk.folders.values(), ...walk.away.map(({ folder }) => folder)]
  for (const { series } of all) expect(summaryOf.get(series.id ?? '')).toBe(series.summary)
}

test('C23 W9 whatever becomes of folders, there and back, series and what was said of them are where one expects them, and nothing is let out', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (walked) => {
      await using server = await startServer()
      await using folder = await libraryFolder()
      const walk = new Walk(folder)
      const series = (position: number): ExpectedSeries => ({
        id: undefined,
        summary: `Said of ${position}`,
        isRestricted: position === 0,
      })
      for (const [position, count] of [5, 4, 3, 1].entries())
        await walk.begin(
          Array.from({ length: count }, (_, index) => 1 + position * 10 + index),
          series(position),
        )
      const admin = await server.person('admin')
      bodyOf(await admin.call(api.saveSetting, { params: { key: 'scan.auto_confirm' }, body: { value: true } }))
      const reader = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
      const libraryId = await addLibraryOn(server, { roots: [folder.in('library')] })
      await scanNow(server, libraryId)
      const books = await booksOf(server, libraryId)
      const bookIds = new Map([...books].map(([, { id, name }]) => [Number.parseInt(name, 10), id]))
      const restricted = new Set<string>()
      for (const [name, { books: seeds, series: expected }] of walk.folders) {
        const id = books.get(`${name}/${seeds[0]}.cbz`)?.series_id ?? ''
        expected.id = id
        const ageRating = expected.isRestricted ? { ageRating: 18 } : {}
        const body = { summary: expected.summary ?? '', ...ageRating }
        bodyOf(await admin.call(api.editSeriesMetadata, { params: { id }, body }))
        if (expected.isRestricted)
          for (const each of [id, ...seeds.map((seed) => bookIds.get(seed) ?? '')]) restricted.add(each)
      }

      const over = new AbortController()
      const headers = { authorization: `Bearer ${reader.accessToken}` }
      const textOf = async (path: string): Promise<string> => {
        const reply = await fetch(`${server.url}${path}`, { headers })
        if (!reply.ok) throw new Error(`${path} answers ${reply.status}`)
        return reply.text()
      }
      const watching = watch({ ...reader, textOf }, restricted, over.signal)
      try {
        for (const step of walked) {
          walk.note()
          await doStep(walk, step)
          await scanAfter(server, libraryId, step)
          await check(server, libraryId, walk, bookIds)
        }
        while (await walk.stepBack()) {
          await scanNow(server, libraryId)
          await check(server, libraryId, walk, bookIds)
        }
      } finally {
        over.abort()
        expect(await watching).toEqual([])
      }
    }),
    {
      examples,
      numRuns: examples.length + Number(process.env['WALKS'] ?? 1),
      endOnFailure: true,
    },
  )
})
