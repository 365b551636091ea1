import { join } from 'node:path'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { WriteDb } from '../../database/database.ts'
import type { BookCoverInput, MadeCover } from '../../decoders/cover.ts'
import type { Decoders } from '../../decoders/pool.ts'
import { BookFault } from '../../formats/book-format.ts'
import { unpackPages } from '../../formats/page-index.ts'
import { defineTask, type TaskContext } from '../../tasks/define-task.ts'
import { setBookCovers, renewCoversOfFirstBooks } from '../../catalogue/shown/shown.ts'
import { pathBelow } from '../../platform/files/file-names.ts'
import { announceCovers } from '../../catalogue/visibility/visibility.ts'
import { colourCovers } from './colour-covers.ts'
import {
  automatic,
  selectCover,
  selectSubjects,
  selectNarrowCovers,
  type NarrowCoverRow,
  upsertCovers,
} from './queries.ts'
import { queueCovers, startMakingCovers } from './record.ts'
import { coverStore } from './store.ts'
import { forgetPictures, coverSizesOf } from './tasks.ts'

interface CoverContext extends Pick<Context, 'config' | 'settings'> {
  readonly decoders: Decoders
}

const day = 24 * 60 * 60 * 1000
const coversAtOnce = 200
const jobMaxMs = 30_000

/**
 * It runs once after an upgrade: covers of strips were a few pixels wide. Covers made from files are queued and made as
 * usual; pages that somebody has chosen are made here. Covers that were uploaded or fetched have no larger original.
 * Until then the old pictures are shown. Covers whose colours nobody has looked for get them from the picture there is.
 */
export const renewCovers = defineTask(Type.Object({}), {
  type: 'renew_covers',
  priority: 15,
  endsWithinMs: day,
  key: () => '',
  run: async (_, context, resources: CoverContext) => {
    const { db, write, clock, signal } = context
    let queued = 0
    let renewed = 0
    for (let after = ''; ;) {
      signal.throwIfAborted()
      const threads = await selectNarrowCovers(db.readSlowly, after, coversAtOnce)
      const ofFiles = threads.filter(({ source }) => automatic.includes(source))
      const bookIds = [...new Set(ofFiles.map(({ book_id }) => book_id))]
      if (bookIds.length > 0)
        await write(async (db) => {
          await queueCovers(db, bookIds, clock())
          await startMakingCovers(db, clock())
        })
      for (const thread of threads.filter(isPageOfBook)) if (await renewPage(thread, context, resources)) renewed += 1
      queued += bookIds.length
      after = threads.at(-1)?.id ?? ''
      if (threads.length < coversAtOnce) break
    }
    const coloured = await colourCovers(context, resources)
    return { result: { wanted: queued, renewed, coloured }, items: queued + renewed + coloured }
  },
})

type PageThread = NarrowCoverRow & { readonly page: number }

const isPageOfBook = (thread: NarrowCoverRow): thread is PageThread =>
  thread.entity === 'book' && thread.source === 'page' && thread.page !== null

/** False: its page cannot be read now, and what there is stays. */
const renewPage = async (
  thread: PageThread,
  { db, write, clock, signal }: TaskContext,
  { config, settings, decoders }: CoverContext,
): Promise<boolean> => {
  signal.throwIfAborted()
  const input = await pageInputOf(db.readSlowly, thread, { settings, config })
  if (!input) return false
  try {
    const made = await decoders.run('pageCover', input, { silenceMaxMs: jobMaxMs, signal, patient: true })
    const store = coverStore(config)
    const contentHash = await store.put(made)
    const replaced = await write((db) => recordPage(db, thread, { ...made, contentHash }, clock()))
    await forgetPictures(store, db.read, [replaced])
    return true
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof BookFault) return false
    throw error
  }
}

const pageInputOf = async (
  db: TaskContext['db']['readSlowly'],
  { book_id, page: number }: PageThread,
  { settings, config }: Pick<CoverContext, 'settings' | 'config'>,
) => {
  const [row] = await selectSubjects(db, [book_id])
  const page = row?.pages ? unpackPages(row.pages)[number - 1] : undefined
  if (!row || !page) return undefined
  return {
    path: pathBelow(row.root_path, row.folder, row.name),
    isFolder: row.is_folder === 1,
    cacheDir: join(config.dataDir, 'cache', 'unpacked'),
    sizes: coverSizesOf(settings),
    page: { number, location: page.location ?? null, size: page.size },
  } satisfies Partial<BookCoverInput>
}

/** It returns the name of the pictures that are not needed any more. */
const recordPage = async (
  db: WriteDb,
  { id, entity_id: bookId, content_hash: before }: PageThread,
  { width, height, placeholder, tone, contentHash }: MadeCover & { readonly contentHash: string },
  now: Date,
): Promise<string> => {
  const row = await selectCover(db, bookId, id)
  // Somebody has deleted it meanwhile.
  if (!row) return contentHash
  await upsertCovers(db, [{ ...row, width, height, placeholder, tone, content_hash: contentHash }])
  const [book] = await selectSubjects(db, [bookId])
  if (book?.cover_id === id) {
    await setBookCovers(db, [{ id: bookId, coverId: id, placeholder, tone }])
    await renewCoversOfFirstBooks(db, [bookId])
    await announceCovers(db, 'book', [bookId], now)
  }
  return before
}
