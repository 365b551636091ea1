import { type ForeignRecord, recordLimits } from '../../records.ts'
import { cut } from '../sqlite.ts'
import { textOf, truthOf, wholeOf } from '../values.ts'
import type { KomgaStore } from './store.ts'

const listsMax = 50_000

export const readListsIn = function* (store: KomgaStore): Generator<ForeignRecord> {
  const { db, passedOver } = store
  const rows = db.rows(
    `select ID as id, ${cut('NAME')} as name, ${cut('SUMMARY', recordLimits.prose)} as summary, ORDERED as isOrdered
      from READLIST order by NAME, ID`,
    { most: listsMax, onMore: () => passedOver.add('read lists', 'too_much') },
  )
  for (const row of rows) {
    const id = textOf(row['id'])
    if (id === null) continue
    yield {
      type: 'readList',
      id,
      name: textOf(row['name'], 200) ?? id,
      summary: textOf(row['summary'], 2000),
      isOrdered: truthOf(row['isOrdered']),
      owner: null,
      isShared: true,
      books: membersOf(
        store,
        'select BOOK_ID as member from READLIST_BOOK where READLIST_ID = @id order by NUMBER',
        id,
      ),
    }
  }
}

export const collectionsIn = function* (store: KomgaStore): Generator<ForeignRecord> {
  const { db, passedOver } = store
  const rows = db.rows(
    `select ID as id, ${cut('NAME')} as name, ORDERED as isOrdered from COLLECTION order by NAME, ID`,
    {
      most: listsMax,
      onMore: () => passedOver.add('collections', 'too_much'),
    },
  )
  for (const row of rows) {
    const id = textOf(row['id'])
    if (id === null) continue
    yield {
      type: 'collection',
      id,
      name: textOf(row['name'], 200) ?? id,
      summary: null,
      isOrdered: truthOf(row['isOrdered']),
      owner: null,
      isShared: true,
      series: membersOf(
        store,
        'select SERIES_ID as member from COLLECTION_SERIES where COLLECTION_ID = @id order by NUMBER',
        id,
      ),
    }
  }
}

const membersOf = ({ db, passedOver }: KomgaStore, sql: string, id: string): string[] => {
  const options = {
    parameters: { id },
    most: recordLimits.members,
    onMore: () => passedOver.add('members of long lists', 'too_much'),
  }
  return [...new Set([...db.rows(sql, options)].flatMap((row) => textOf(row['member']) ?? []))]
}

const pictures = [
  { table: 'THUMBNAIL_BOOK', owner: 'BOOK_ID', of: (book: string) => ({ book }) },
  { table: 'THUMBNAIL_SERIES', owner: 'SERIES_ID', of: (series: string) => ({ series }) },
  { table: 'THUMBNAIL_COLLECTION', owner: 'COLLECTION_ID', of: (collection: string) => ({ collection }) },
  { table: 'THUMBNAIL_READLIST', owner: 'READLIST_ID', of: (readList: string) => ({ readList }) },
] as const

export const pictureTables: ReadonlySet<string> = new Set(pictures.map(({ table }) => table))

/** Komga makes the others itself, or takes them from files, as is done here. */
export const coversIn = function* ({ db, passedOver }: KomgaStore): Generator<ForeignRecord> {
  for (const { table, owner, of } of pictures) {
    if (!db.has(table, 'TYPE')) continue
    const rows = db.rows(
      `select ID as id, ${owner} as owner, length(THUMBNAIL) as bytes from ${table}
        where TYPE = 'USER_UPLOADED' and SELECTED = 1 and THUMBNAIL is not null`,
    )
    for (const row of rows) {
      const [id, subject] = [textOf(row['id']), textOf(row['owner'])]
      const bytes = wholeOf(row['bytes'], 1, recordLimits.coverBytes)
      if (id === null || subject === null) continue
      if (bytes === null) passedOver.add('covers of more than 20 MiB', 'too_much', id)
      else yield { type: 'cover', of: of(subject), ref: `${table} ${id}`, bytes }
    }
  }
}
