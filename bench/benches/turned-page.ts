import { setTimeout as delay } from 'node:timers/promises'
import {
  addressOf,
  createSharingTag,
  listBooks,
  listGenres,
  listSeries,
  readHome,
  saveProgress,
  search,
} from '../../packages/api/src/index.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import { requestBytes } from '../connection.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import { callerAt } from '../installation.ts'
import { exactCpuUsOf } from '../process-figures.ts'

const rounds = 40
const warmUp = 20
/** The kernel counts what a thread has taken once it rests. */
const restMs = 4

/** What somebody is shown who has just turned a page, beside the same after a change of the catalogue, when nothing of it is kept. */
export const turnedPage: Bench = {
  names: ['turned'],
  isLong: true,
  run: async ({ database }) => {
    await using seeded = await seededLibrary(database, '100k')
    const { installation } = seeded
    await using server = await installation.start({ CARREL_SETTING_COMPAT_ENABLED: 'true' })
    const call = callerAt(server.port, installation.token)
    const genres = await call(listGenres, { query: { pageSize: 50 } })
    const books = await call(listBooks, { query: { pageSize: 50 } })
    if (!genres.ok || !books.ok) throw new Error('There is nothing to list')
    const genreAt = (index: number): string => genres.body.data.at(index)?.name ?? ''
    const titleAt = (index: number): string => books.body.data.at(index)?.seriesName ?? ''
    const bookIds = books.body.data.map(({ id }) => id)
    const questions: Readonly<Record<string, string>> = {
      'books by title': addressOf(listBooks, { query: { pageSize: 50 } }),
      'series by name': addressOf(listSeries, { query: { pageSize: 50 } }),
      'books of a genre': addressOf(listBooks, { query: { pageSize: 50, genres: genreAt(10) } }),
      'series of a genre': addressOf(listSeries, { query: { pageSize: 50, genres: genreAt(10) } }),
      'a search': addressOf(search, { query: { q: titleAt(7) } }),
      home: addressOf(readHome, { query: {} }),
      'root of OPDS 1': '/opds/v1/catalog',
      'root of OPDS 2': '/opds/v2',
      'recent of OPDS 2': '/opds/v2/recent',
      'series of the compatibility door': '/komga/api/v1/series?size=20&sort=metadata.titleSort,asc',
    }
    let changes = 0
    const turn = async () => {
      const id = bookIds[(changes += 1) % bookIds.length] ?? ''
      const { ok } = await call(saveProgress, { params: { id }, body: { currentPage: 1 + (changes % 7) } })
      if (!ok) throw new Error('No page could be turned')
    }
    const changeCatalogue = async () => {
      const { ok } = await call(createSharingTag, { body: { name: `bench ${(changes += 1)}` } })
      if (!ok) throw new Error('The catalogue could not be changed')
    }
    const ask = async (path: string) => {
      const request = requestBytes({ path, headers: { ...installation.token, 'accept-encoding': 'gzip' } })
      await delay(restMs)
      const before = exactCpuUsOf(server.pid)
      const startedAt = performance.now()
      const { status } = await exchangeOnce(server.port, request)
      const ms = performance.now() - startedAt
      await delay(restMs)
      if (status !== 200) throw new Error(`${path} was answered with ${status}`)
      return { ms, cpuMs: (exactCpuUsOf(server.pid) - before) / 1000 }
    }
    const figures: Figure[] = []
    for (const [what, path] of Object.entries(questions)) {
      const turned: { ms: number; cpuMs: number }[] = []
      const changed: { ms: number; cpuMs: number }[] = []
      for (let round = -warmUp; round < rounds; round += 1) {
        await turn()
        const after = await ask(path)
        await changeCatalogue()
        const anew = await ask(path)
        if (round < 0) continue
        turned.push(after)
        changed.push(anew)
      }
      const values = (answers: typeof turned, of: 'ms' | 'cpuMs') => answers.map((answer) => answer[of])
      figures.push(
        { name: `turned: ${what}`, unit: 'ms', values: values(turned, 'ms') },
        { name: `turned: ${what}, CPU`, unit: 'ms', values: values(turned, 'cpuMs') },
        { name: `turned: ${what}, after a change of the catalogue`, unit: 'ms', values: values(changed, 'ms') },
        { name: `turned: ${what}, after such a change, CPU`, unit: 'ms', values: values(changed, 'cpuMs') },
      )
    }
    return figures
  },
}
