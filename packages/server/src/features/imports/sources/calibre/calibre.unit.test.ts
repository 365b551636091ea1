import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { koreaderFingerprint } from '../../../../formats/fingerprints.ts'
import { openLibraryFile } from '../../../../platform/storage/library-files.ts'
import {
  expectedOf,
  newFolder,
  ofType,
  passedOverIn,
  readAll,
  sorted,
  sourceOf,
  storePath,
} from '../../../../../test/stores/read.ts'
import type { Position } from '../../records.ts'
import { calibre } from './calibre.ts'

interface Expected {
  readonly books: readonly {
    id: number
    key: string
    title: string
    authors: string[]
    series: string | null
    seriesIndex: number | null
    tags: string[]
    publisher: string | null
    storedRating: number | null
    commentsHtml: string | null
    languages: string[]
    identifiers: Record<string, string>
    path: string
    hasCover: boolean
    custom: Record<string, unknown>
  }[]
  readonly annotations: readonly { book: string; text: string; note: string; spineIndex: number; at: string }[]
  readonly lastReadPositions: readonly {
    book: string
    user: string
    device: string
    cfi: string
    fraction: number
    epoch: number
  }[]
  readonly calibreWeb: {
    readonly users: readonly {
      id: number
      name: string
      email: string
      admin: boolean
      mayDownload: boolean
      deniedTags: string[]
    }[]
    readonly shelves: readonly { name: string; owner: string; public: boolean; books: string[] }[]
    readonly readStatus: readonly {
      user: string
      book: string
      status: string
      modified: string
      started: string
      timesStarted: number
    }[]
    readonly bookmarks: readonly { user: string; book: string; cfi: string }[]
    readonly archived: readonly unknown[]
    readonly kobo: readonly {
      user: string
      book: string
      percent: number
      location: string
      minutes: number
      modified: string
    }[]
    readonly orphans: number
  }
}

const expected = expectedOf('calibre') as Expected
const web = expected.calibreWeb
const books = new Map(expected.books.map(({ id, key }) => [String(id), key]))
const users = new Map(web.users.map(({ id, name }) => [String(id), name]))
const named = ({ user, book }: { user: string; book: string }) => ({ user: users.get(user), book: books.get(book) })

/** A library with its files, and with calibre-web's database in it. */
const libraryWith = (...databases: readonly string[]): string => {
  const folder = newFolder()
  cpSync(storePath('calibre', 'library'), folder, { recursive: true })
  cpSync(storePath('calibre', 'library/metadata.db'), join(folder, 'metadata.db'))
  for (const name of databases) cpSync(storePath('calibre', name), join(folder, name))
  return folder
}
const readFolder = (folder: string) => readAll(calibre, sourceOf(join(folder, 'metadata.db'), folder))
const read = () => readFolder(libraryWith('app.db'))

const fragmentOf = ({ locator }: Position): string => {
  const locations = locator?.['locations'] as { readonly fragments?: readonly string[] } | undefined
  return locations?.fragments?.[0] ?? ''
}

describe('metadata.db', () => {
  it('C25 says that its files are grouped as those of calibre', async () => {
    const folder = libraryWith('app.db')
    const records = await readFolder(folder)
    expect(records[0]).toMatchObject({ type: 'source', kind: 'calibre' })
    expect(ofType(records, 'library')).toMatchObject([{ roots: [folder], grouping: { policy: 'calibre', config: {} } }])
  })

  it('C25 brings each book with its series, its number and what its owner says of it', async () => {
    const records = await read()
    const series = new Map(ofType(records, 'series').map((each) => [each.id, each]))
    const bookRecords = ofType(records, 'book')
    expect(bookRecords).toHaveLength(expected.books.length)
    const languages: Readonly<Record<string, string>> = { eng: 'en', deu: 'de', jpn: 'ja' }
    for (const [index, each] of expected.books.entries()) {
      const record = bookRecords[index]
      expect(record).toMatchObject({
        id: String(each.id),
        title: each.title,
        path: each.path,
        seriesTitle: each.series,
      })
      expect(record?.number).toBe(each.series === null ? null : String(each.seriesIndex))
      expect(series.get(record?.series ?? '')).toMatchObject({
        title: each.series ?? each.title,
        isOneShot: each.series === null,
      })
      const metadata = record?.metadata ?? {}
      expect(Object.values(metadata).every(({ locked }) => locked)).toBe(true)
      expect(sorted((metadata['tags']?.value as string[] | undefined) ?? [])).toEqual(sorted(each.tags))
      expect(((metadata['authors']?.value as { name: string }[] | undefined) ?? []).map(({ name }) => name)).toEqual(
        each.authors,
      )
      expect(metadata['publisher']?.value ?? null).toBe(each.publisher)
      expect(metadata['languageIso']?.value).toBe(languages[each.languages[0] ?? ''])
      expect(metadata['summary']?.value ?? null).toBe(each.commentsHtml?.replaceAll(/<\/?p>/g, '') ?? null)
      expect((metadata['isbns']?.value as string[] | undefined) ?? []).toEqual(
        each.identifiers['isbn'] === undefined ? [] : [each.identifiers['isbn']],
      )
      const { amazon, uri } = each.identifiers
      expect(metadata['externalIds']?.value).toEqual(amazon && [{ source: 'amazon', id: amazon }])
      expect(metadata['externalLinks']?.value).toEqual(uri && [{ source: 'press.example', url: uri }])
      expect(metadata['customMetadata']?.value ?? {}).toEqual(
        Object.fromEntries(
          Object.entries(each.custom).map(([label, value]) => [
            label,
            label === 'read_date' ? new Date(Date.parse(String(value))).toISOString() : value,
          ]),
        ),
      )
    }
  })

  it('C25 knows files by the digest that is known of ours, where they lie beside it', async () => {
    const folder = libraryWith('app.db')
    for (const { path, hashes } of ofType(await readFolder(folder), 'book')) {
      const file = openLibraryFile(join(folder, path ?? ''))
      expect(hashes).toEqual([{ kind: 'koreader', value: koreaderFingerprint(file) }])
      file.close()
    }
    const alone = await readAll(calibre, sourceOf(storePath('calibre', 'library/metadata.db')))
    expect(ofType(alone, 'book').flatMap(({ hashes }) => hashes)).toEqual([])
    expect(ofType(alone, 'book')).toHaveLength(expected.books.length)
  })

  it('C25 brings ratings of ten halves of a star as those of its owner', async () => {
    const ratings = ofType(await read(), 'rating').map(({ user, of, rating }) => [
      users.get(user),
      'book' in of ? books.get(of.book) : '',
      rating,
    ])
    expect(ratings).toEqual(
      expected.books.flatMap(({ key, storedRating }) =>
        storedRating === null ? [] : [['mara', key, storedRating * 10]],
      ),
    )
  })

  it('C25 takes the column of that name for what was read, where there is no calibre-web', async () => {
    const records = await readFolder(libraryWith())
    expect(ofType(records, 'user').map(({ name }) => name)).toEqual([null, 'jonas', 'mara'])
    const progress = ofType(records, 'progress').map(({ book, isCompleted, at }) => [books.get(book), isCompleted, at])
    expect(progress).toEqual(
      expected.books
        .filter(({ custom }) => custom['read'] === true)
        .map(({ key, custom }) => [key, true, new Date(Date.parse(String(custom['read_date']))).toISOString()]),
    )
    expect(ofType(records, 'completion').map(({ book }) => books.get(book))).toEqual(progress.map(([book]) => book))
    expect(passedOverIn(records)).toContainEqual({
      what: "calibre-web's users, states and shelves: no app.db lies beside metadata.db",
      reason: 'not_in_store',
      count: null,
    })
  })

  it('C25 brings last places and highlights to their item of the spine', async () => {
    const records = await read()
    const positions = ofType(records, 'session')
      .filter(({ id }) => id.startsWith('position '))
      .map((each) => ({
        ...named(each),
        at: each.at,
        fraction: each.position.fraction,
        locations: each.position.locator?.['locations'],
        device: each.device,
      }))
    expect(positions).toEqual(
      expected.lastReadPositions.map(({ user, book, epoch, fraction, cfi, device }) => ({
        user,
        book,
        at: new Date(epoch * 1000).toISOString(),
        fraction,
        locations: {
          // The item of the spine stands first, and the steps below its root element after it.
          fragments: [cfi.replace(/^epubcfi\(\/(\d+)\/2/, 'epubcfi(/6/$1!')],
          totalProgression: fraction,
        },
        device,
      })),
    )
    const annotations = ofType(records, 'annotation').map((each) => ({
      book: books.get(each.book),
      text: each.quote,
      note: each.note ?? '',
      item: /^epubcfi\(\/6\/(\d+)!\/4\/4\/1:0\)$/.exec(fragmentOf(each.position))?.[1],
      at: each.at,
      colour: each.colour,
    }))
    // calibre's own interface had kept the second alone of two highlights in one book: the store has three of the five.
    const latest = expected.annotations.filter(
      (each, index) => expected.annotations.findLastIndex(({ book }) => book === each.book) === index,
    )
    expect(sorted(annotations)).toEqual(
      sorted(
        latest.map(({ book, text, note, spineIndex, at }) => ({
          book,
          text,
          note,
          item: String(2 * (spineIndex + 1)),
          at,
          colour: 'yellow',
        })),
      ),
    )
  })

  it('C25 says what it passes over', async () => {
    const passed = passedOverIn(await read())
    expect(passed).toContainEqual({ what: 'saved searches', reason: 'unreadable', count: 1 })
    expect(passed).toContainEqual({ what: 'virtual libraries', reason: 'unreadable', count: 1 })
    expect(passed).toContainEqual({
      what: 'covers that calibre keeps beside each book',
      reason: 'not_a_persons_word',
      count: expected.books.filter(({ hasCover }) => hasCover).length,
    })
  })
})

describe('app.db', () => {
  it('C25 brings the people of calibre-web, and restricts by the tags denied to them', async () => {
    const records = await read()
    expect(
      ofType(records, 'user').map(({ id, name, email, role, mayDownload, denyLabels }) => ({
        id: Number(id),
        name,
        email,
        admin: role === 'admin',
        mayDownload,
        deniedTags: denyLabels,
      })),
    ).toEqual(web.users)
    const horror = new Set(expected.books.filter(({ tags }) => tags.includes('Horror')).map(({ series }) => series))
    expect(
      ofType(records, 'series')
        .filter(({ labels }) => labels.includes('Horror'))
        .map(({ title }) => title),
    ).toEqual([...horror])
  })

  it('C25 brings how far everybody is, once for each book', async () => {
    const records = await read()
    const kobo = new Map(web.kobo.map((each) => [`${each.user} ${each.book}`, each]))
    const progress = ofType(records, 'progress').map((each) => ({
      ...named(each),
      status: each.isCompleted ? 'finished' : 'in progress',
      started: each.startedAt,
      modified: each.at,
      fraction: each.position.fraction,
      href: each.position.locator?.['href'] ?? null,
    }))
    const told = new Set(web.readStatus.map(({ user, book }) => `${user} ${book}`))
    const byColumn = expected.books
      .filter(({ key, custom }) => custom['read'] === true && !told.has(`mara ${key}`))
      .map(({ key, custom }) => ({
        user: 'mara',
        book: key,
        status: 'finished',
        started: null,
        modified: new Date(Date.parse(String(custom['read_date']))).toISOString(),
        fraction: null,
        href: null,
      }))
    expect(sorted(progress)).toEqual(
      sorted([
        ...web.readStatus.map(({ user, book, status, started, modified }) => {
          const position = status === 'finished' ? undefined : kobo.get(`${user} ${book}`)
          return {
            user,
            book,
            status,
            started,
            modified,
            fraction: position !== undefined ? position.percent / 100 : status === 'finished' ? null : 0,
            href: position?.location ?? null,
          }
        }),
        ...byColumn,
      ]),
    )
    expect(passedOverIn(records)).toContainEqual({
      what: 'states of nobody, or of books that are not there',
      reason: 'invalid',
      count: web.orphans,
    })
  })

  it('C25 tells finished books and the time of a Kobo in the log as well', async () => {
    const logged = ofType(await read(), 'session').filter(({ id }) => id.startsWith('state '))
    const finished = logged.filter(({ kind }) => kind === 'completed').map((each) => ({ ...named(each), at: each.at }))
    expect(sorted(finished)).toEqual(
      sorted(
        web.readStatus
          .filter(({ status }) => status === 'finished')
          .map(({ user, book, modified }) => ({ user, book, at: modified })),
      ),
    )
    const begun = logged
      .filter(({ kind }) => kind === 'progress')
      .map((each) => ({ ...named(each), minutes: (each.activeMs ?? 0) / 60_000 }))
    expect(sorted(begun)).toEqual(sorted(web.kobo.map(({ user, book, minutes }) => ({ user, book, minutes }))))
  })

  it('C25 brings shelves in their order', async () => {
    const categories = ofType(await read(), 'category').map(({ name, owner, isShared, members }) => ({
      name,
      owner: users.get(owner ?? ''),
      public: isShared,
      books: members.map((each) => books.get('book' in each ? each.book : '')),
    }))
    expect(categories).toEqual(web.shelves)
  })

  it('C25 says what it passes over', async () => {
    const passed = passedOverIn(await read())
    expect(passed).toContainEqual({ what: 'passwords', reason: 'secret', count: 4 })
    expect(passed).toContainEqual({ what: 'archived books', reason: 'no_such_thing', count: web.archived.length })
  })
})
