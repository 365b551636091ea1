import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Sqlite from 'better-sqlite3'
import { storePath } from './stores/read.ts'

/** Servers that answer over HTTP in the shapes that the other projects publish, out of the stores of the household. */

export interface RecordingServer extends AsyncDisposable {
  readonly url: string
  /** All paths that were asked for, and whether with the key. */
  readonly requests: readonly { readonly path: string; readonly hasKey: boolean }[]
}

type Answer = { readonly status: number; readonly body?: unknown; readonly type?: string }
type Row = Readonly<Record<string, unknown>>

interface Serving {
  readonly hasKey: (headers: Readonly<Record<string, unknown>>) => boolean
  readonly answer: (url: URL) => Answer
}

const serve = async ({ hasKey, answer }: Serving): Promise<RecordingServer> => {
  const requests: { path: string; hasKey: boolean }[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const isKnown = hasKey(request.headers)
    requests.push({ path, hasKey: isKnown })
    const {
      status,
      body,
      type = 'application/json',
    } = isKnown ? answer(new URL(path, 'http://localhost')) : { status: 401, body: { error: 'Unauthorized' } }
    response.writeHead(status, { 'content-type': type })
    response.end(body instanceof Uint8Array ? body : body === undefined ? undefined : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const timestamp = (value: unknown): string | null =>
  typeof value === 'string' ? `${value.slice(0, 10)}T${value.slice(11, 19)}Z` : null
const pathOf = (url: unknown): string =>
  decodeURIComponent(
    String(url)
      .replace(/^file:/, '')
      .replace(/(?<=.)\/$/, ''),
  )

/** A Komga with what stands in the store, as it answers this user; others it lists to administrators alone. */
export const startKomga = async (key: string, { as, isAdmin = true }: { as: string; isAdmin?: boolean }) => {
  const db = new Sqlite(storePath('komga', 'database.sqlite'), { readonly: true })
  const all = (sql: string, ...values: unknown[]): Row[] => db.prepare<unknown[], Row>(sql).all(...values)
  const users = all('select * from USER order by CREATED_DATE').map((row) => ({
    id: row['ID'],
    email: row['EMAIL'],
    roles: ['USER', ...all('select ROLE from USER_ROLE where USER_ID = ?', row['ID']).map((each) => each['ROLE'])],
    sharedAllLibraries: row['SHARED_ALL_LIBRARIES'] === 1,
    sharedLibrariesIds: all('select LIBRARY_ID as id from USER_LIBRARY_SHARING where USER_ID = ?', row['ID']).map(
      ({ id }) => id,
    ),
    labelsAllow: all('select LABEL as l from USER_SHARING where ALLOW = 1 and USER_ID = ?', row['ID']).map(
      ({ l }) => l,
    ),
    labelsExclude: all('select LABEL as l from USER_SHARING where ALLOW = 0 and USER_ID = ?', row['ID']).map(
      ({ l }) => l,
    ),
    ageRestriction:
      row['AGE_RESTRICTION'] === null
        ? null
        : {
            age: row['AGE_RESTRICTION'],
            restriction: row['AGE_RESTRICTION_ALLOW_ONLY'] === 1 ? 'ALLOW_ONLY' : 'EXCLUDE',
          },
  }))
  const me = users.find(({ email }) => email === as)
  const lists = {
    series: seriesIn(all),
    books: booksIn(all, me?.id),
    readlists: readListsIn(all),
    collections: collectionsIn(all),
  }
  const server = await serve({
    hasKey: (headers) => headers['x-api-key'] === key,
    answer: ({ pathname, searchParams }) => {
      const [, list, id, what, cover] =
        /^\/api\/v1\/(series|books|readlists|collections)(?:\/([^/]+)\/(thumbnails|progression)(?:\/([^/]+))?)?$/.exec(
          pathname,
        ) ?? []
      if (pathname === '/api/v2/users/me') return { status: 200, body: me }
      if (pathname === '/api/v2/users') return isAdmin ? { status: 200, body: users } : { status: 403 }
      if (pathname === '/actuator/info')
        return isAdmin ? { status: 200, body: { build: { version: '1.26.3' } } } : { status: 403 }
      if (pathname === '/api/v1/libraries')
        return {
          status: 200,
          body: all('select * from LIBRARY').map((row) => ({
            id: row['ID'],
            name: row['NAME'],
            root: isAdmin ? pathOf(row['ROOT']) : '',
          })),
        }
      if (id === undefined && list !== undefined)
        return { status: 200, body: pageOf(lists[list as keyof typeof lists], searchParams) }
      if (what === 'progression') return { status: 204 }
      if (what === 'thumbnails' && id !== undefined) return coverAnswer(all, String(list), { id, cover })
      return { status: 404 }
    },
  })
  return {
    ...server,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      db.close()
    },
  }
}

type All = (sql: string, ...values: unknown[]) => Row[]

/** Small pages, so that there are several. */
const sizeMax = 20

const pageOf = (rows: readonly Row[], parameters: URLSearchParams) => {
  const size = Math.min(Number(parameters.get('size')), sizeMax)
  const number = Number(parameters.get('page'))
  const content = rows.slice(number * size, (number + 1) * size)
  return { content, number, size, totalElements: rows.length, last: (number + 1) * size >= rows.length }
}

const locksOf = (row: Row, columns: Readonly<Record<string, string>>): Row =>
  Object.fromEntries(Object.entries(columns).map(([field, column]) => [`${field}Lock`, row[`${column}_LOCK`] === 1]))

const seriesIn = (all: All): Row[] =>
  all(
    'select *, s.ONESHOT as isOneShot from SERIES s join SERIES_METADATA m on m.SERIES_ID = s.ID order by s.CREATED_DATE, s.ID',
  ).map((row) => {
    const listed = (column: string, table: string) =>
      all(`select ${column} as value from ${table} where SERIES_ID = ?`, row['ID']).map(({ value }) => value)
    return {
      id: row['ID'],
      libraryId: row['LIBRARY_ID'],
      name: row['NAME'],
      url: pathOf(row['URL']),
      oneshot: row['isOneShot'] === 1,
      metadata: {
        title: row['TITLE'],
        titleSort: row['TITLE_SORT'],
        status: row['STATUS'],
        publisher: row['PUBLISHER'],
        readingDirection: row['READING_DIRECTION'] ?? '',
        ageRating: row['AGE_RATING'],
        summary: row['SUMMARY'],
        language: row['LANGUAGE'],
        totalBookCount: row['TOTAL_BOOK_COUNT'],
        genres: listed('GENRE', 'SERIES_METADATA_GENRE'),
        tags: listed('TAG', 'SERIES_METADATA_TAG'),
        sharingLabels: listed('LABEL', 'SERIES_METADATA_SHARING'),
        links: all('select LABEL as label, URL as url from SERIES_METADATA_LINK where SERIES_ID = ?', row['ID']),
        alternateTitles: all(
          'select LABEL as label, TITLE as title from SERIES_METADATA_ALTERNATE_TITLE where SERIES_ID = ?',
          row['ID'],
        ),
        ...locksOf(row, {
          title: 'TITLE',
          titleSort: 'TITLE_SORT',
          status: 'STATUS',
          publisher: 'PUBLISHER',
          readingDirection: 'READING_DIRECTION',
          ageRating: 'AGE_RATING',
          summary: 'SUMMARY',
          language: 'LANGUAGE',
          totalBookCount: 'TOTAL_BOOK_COUNT',
          genres: 'GENRES',
          tags: 'TAGS',
          links: 'LINKS',
          alternateTitles: 'ALTERNATE_TITLES',
        }),
      },
    }
  })

const booksIn = (all: All, userId: unknown): Row[] =>
  all(
    `select b.*, m.*, d.MEDIA_TYPE, d.PAGE_COUNT, s.TITLE as SERIES_TITLE from BOOK b
      join BOOK_METADATA m on m.BOOK_ID = b.ID join MEDIA d on d.BOOK_ID = b.ID
      join SERIES_METADATA s on s.SERIES_ID = b.SERIES_ID order by b.CREATED_DATE, b.ID`,
  ).map((row) => {
    const [state] = all('select * from READ_PROGRESS where BOOK_ID = ? and USER_ID = ?', row['ID'], userId)
    return {
      id: row['ID'],
      seriesId: row['SERIES_ID'],
      seriesTitle: row['SERIES_TITLE'],
      libraryId: row['LIBRARY_ID'],
      name: row['NAME'],
      url: pathOf(row['URL']),
      sizeBytes: row['FILE_SIZE'],
      fileHash: row['FILE_HASH'],
      deleted: row['DELETED_DATE'] !== null,
      media: { mediaType: row['MEDIA_TYPE'], pagesCount: row['PAGE_COUNT'] },
      metadata: {
        ...all('select NUMBER as number, TITLE as title from BOOK_METADATA where BOOK_ID = ?', row['ID'])[0],
        numberSort: row['NUMBER_SORT'],
        releaseDate: row['RELEASE_DATE'],
        summary: row['SUMMARY'],
        isbn: row['ISBN'],
        authors: all('select NAME as name, ROLE as role from BOOK_METADATA_AUTHOR where BOOK_ID = ?', row['ID']),
        tags: all('select TAG as tag from BOOK_METADATA_TAG where BOOK_ID = ?', row['ID']).map(({ tag }) => tag),
        links: all('select LABEL as label, URL as url from BOOK_METADATA_LINK where BOOK_ID = ?', row['ID']),
        ...locksOf(row, {
          title: 'TITLE',
          number: 'NUMBER',
          numberSort: 'NUMBER_SORT',
          releaseDate: 'RELEASE_DATE',
          summary: 'SUMMARY',
          authors: 'AUTHORS',
          tags: 'TAGS',
          isbn: 'ISBN',
          links: 'LINKS',
        }),
      },
      readProgress: state
        ? {
            page: state['PAGE'],
            completed: state['COMPLETED'] === 1,
            readDate: timestamp(state['READ_DATE']),
            created: timestamp(state['CREATED_DATE']),
            lastModified: timestamp(state['LAST_MODIFIED_DATE']),
          }
        : null,
    }
  })

const membersOf = (all: All, member: string, table: string, list: unknown): unknown[] =>
  all(`select ${member}_ID as member from ${table}_${member} where ${table}_ID = ? order by NUMBER`, list).map(
    (row) => row['member'],
  )

const readListsIn = (all: All): Row[] =>
  all('select * from READLIST order by NAME').map((row) => ({
    id: row['ID'],
    name: row['NAME'],
    summary: row['SUMMARY'],
    ordered: row['ORDERED'] === 1,
    bookIds: membersOf(all, 'BOOK', 'READLIST', row['ID']),
  }))

const collectionsIn = (all: All): Row[] =>
  all('select * from COLLECTION order by NAME').map((row) => ({
    id: row['ID'],
    name: row['NAME'],
    ordered: row['ORDERED'] === 1,
    seriesIds: membersOf(all, 'SERIES', 'COLLECTION', row['ID']),
  }))

const pictured: Readonly<Record<string, string>> = {
  series: 'SERIES',
  books: 'BOOK',
  readlists: 'READLIST',
  collections: 'COLLECTION',
}

const coverAnswer = (all: All, list: string, { id, cover }: { id: string; cover: string | undefined }): Answer => {
  const owner = pictured[list] ?? ''
  const rows = all(`select * from THUMBNAIL_${owner} where ${owner}_ID = ?`, id)
  if (cover !== undefined) {
    const picture = rows.find((row) => row['ID'] === cover)?.['THUMBNAIL']
    return picture instanceof Uint8Array ? { status: 200, body: picture, type: 'image/jpeg' } : { status: 404 }
  }
  return {
    status: 200,
    body: rows.map((row) => ({
      id: row['ID'],
      type: row['TYPE'],
      selected: row['SELECTED'] === 1,
      fileSize: (row['THUMBNAIL'] as Uint8Array | null)?.byteLength ?? 0,
    })),
  }
}

export interface ArchiveState {
  readonly progress: number
  readonly pagecount: number
  readonly lastreadtime: number
}

/** A LANraragi with what stands in the backup, and what was read of it, which does not. */
export const startLanraragi = (key: string, states: ReadonlyMap<string, ArchiveState>): Promise<RecordingServer> => {
  const backup = JSON.parse(readFileSync(storePath('lanraragi', 'backup.json'), 'utf8')) as Readonly<
    Record<string, Row[]>
  >
  const { archives = [], categories = [], tankoubons = [] } = backup
  const bodies: Readonly<Record<string, unknown>> = {
    '/api/info': { name: 'LANraragi', version: '0.9.81', server_tracks_progress: true },
    '/api/archives': archives.map(({ arcid, title, tags, summary, filename }) => ({
      arcid,
      title,
      tags,
      summary,
      filename,
      extension: 'cbz',
      isnew: 'false',
      ...(states.get(String(arcid)) ?? { progress: 0, pagecount: 5, lastreadtime: 0 }),
    })),
    '/api/categories': categories.map(({ catid, ...category }) => ({ ...category, id: catid })),
    '/api/tankoubons?page=-1': {
      result: tankoubons.map(({ tankid, ...tank }) => ({ ...tank, id: tankid })),
      total: tankoubons.length,
    },
  }
  return serve({
    hasKey: ({ authorization }) => authorization === `Bearer ${Buffer.from(key).toString('base64')}`,
    answer: ({ pathname, search }) => {
      const body = bodies[pathname + search]
      return body === undefined ? { status: 404 } : { status: 200, body }
    },
  })
}
