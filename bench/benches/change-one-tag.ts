import { openDatabase } from '../../packages/server/src/database/open.ts'
import { refresh } from '../../packages/server/src/catalogue/shown/shown.ts'
import { saveLayers } from '../../packages/server/src/catalogue/metadata/metadata.ts'
import { withListeners } from '../../packages/server/src/catalogue/listeners/listeners.ts'
import { listeners } from '../../packages/server/src/listeners.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { databaseOf, openContent } from '../books/content.ts'
import { emptyFiles } from '../books/empty-files.ts'
import { addLibrary, scanOnce } from '../books/scan.ts'
import type { Bench } from '../figure.ts'
import { callerAt, type Installation } from '../installation.ts'

const booksCount = 10_000
const atOnce = 250
const rounds = 6
/** Far behind the first books, and none of those that change. */
const deepAt = 8500
/** Pins C20: one changed tag in a series of this size. */
const gate = { max: 50 }

/** The file of one book of a long series says another tag: from that layer to all that is shown of the series. */
export const changeOneTag: Bench = {
  names: ['series.tag'],
  run: async ({ installation }) => {
    const bookIds = await listBooks(installation)
    const log = createLog({ level: 'warn', format: 'json' })
    const opened = await openDatabase(databaseOf(installation), log, (error) => {
      throw error
    })
    try {
      const db = withListeners(opened, listeners)
      const say = (ids: readonly string[], tag: string, book: { readonly summary?: string } = {}): Promise<void> =>
        db.write(async (db) => {
          const now = new Date()
          const fields = { book, series: { genres: ['Adventure'], tags: [tag] } }
          const layers = ids.map((entityId) => ({ entityId, source: 'comicinfo', fields }))
          await saveLayers(db, layers, now)
          await refresh(db, { books: ids }, now)
        })
      for (let from = 0; from < bookIds.length; from += atOnce) await say(bookIds.slice(from, from + atOnce), 'common')
      const measure = async (words: string) => {
        const values: number[] = []
        const cpu: number[] = []
        for (let round = 0; round < rounds; round += 1) {
          const startedAt = performance.now()
          const before = process.cpuUsage()
          await say([bookIds[round * 1000] ?? ''], `${words} ${round}`)
          const { user, system } = process.cpuUsage(before)
          values.push(performance.now() - startedAt)
          cpu.push((user + system) / 1000)
        }
        return { values, cpu }
      }
      const { values, cpu } = await measure('changed')
      await say([bookIds[deepAt] ?? ''], 'common', { summary: 'The only one.' })
      const deep = await measure('changed again')
      return [
        { name: 'series.tag, one of 10,000 books says another tag', unit: 'ms', values, gate },
        { name: 'series.tag, by CPU of the process that writes', unit: 'ms', values: cpu, gate },
        { name: `series.tag, where book ${deepAt + 1} has the only summary`, unit: 'ms', values: deep.values, gate },
        { name: 'series.tag, with that summary, by CPU', unit: 'ms', values: deep.cpu, gate },
      ]
    } finally {
      await opened.close()
    }
  },
}

/** They are of one series, and no server runs any more. */
const listBooks = async (installation: Installation): Promise<readonly string[]> => {
  await using files = await emptyFiles(
    Array.from({ length: booksCount }, (_, at) => `Long/Long ${String(at + 1).padStart(5, '0')}.cbz`),
  )
  await using server = await installation.start()
  await using content = await openContent(installation)
  const call = callerAt(server.port, installation.token)
  const libraryId = await addLibrary(call, files.root)
  await scanOnce(call, content, libraryId)
  return [...(await content.booksByPath(libraryId)).values()]
}
