import * as api from '@carrel/api'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { comicInfoXml } from '../../../test/books/metadata.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, regroupAs, scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'

const edits = Number(process.env['CARREL_EDITS'] ?? 250)
const seed = Number(process.env['CARREL_SEED'] ?? 20261123)
const editsBetweenScans = Math.max(50, Math.ceil(edits / 6))
const [folders, booksInEach] = [6, 6]

const picks = fc.uniqueArray(fc.nat(folders * booksInEach - 1), { minLength: 1, maxLength: 5 })
const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move' as const), picks, to: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('new' as const), picks }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('split' as const), of: fc.nat(), some: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), from: fc.nat(), into: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
)

/** Where each book is, and which are there by a hand. */
interface Shelves {
  readonly of: ReadonlyMap<string, string>
  readonly byHand: ReadonlySet<string>
}

test('C22 what people have put somewhere stays there through rescans and every other grouping, and comes back when that is undone', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (let index = 0; index < folders * booksInEach; index += 1) {
    const info = { Series: `Said ${index % 4}`, Number: index }
    const comicInfo = index % 3 === 0 ? comicInfoXml(info) : false
    const parent = index < booksInEach ? '' : `Publisher ${index % 2}/`
    await folder.write(
      `${parent}Folder ${index % folders}/Tale ${index}.cbz`,
      comic({ seed: index, pages: 1, comicInfo }),
    )
  }
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const editor = await server.person('editor')
  const readSeries = async () =>
    new Map([...(await booksOf(server, libraryId)).values()].map(({ id, series_id }) => [id, series_id]))
  const bookIds = [...(await readSeries()).keys()].sort()
  const pick = (numbers: readonly number[]) => numbers.map((position) => bookIds[position] ?? '')
  const done: { historyId: string | null; before: Shelves }[] = []
  let shelves: Shelves = { of: await readSeries(), byHand: new Set() }

  const put = (moved: readonly string[], seriesId: string): Shelves => ({
    of: new Map([...shelves.of, ...moved.map((id) => [id, seriesId] as const)]),
    byHand: new Set([...shelves.byHand, ...moved]),
  })
  const carryOut = async (step: typeof edit extends fc.Arbitrary<infer Edit> ? Edit : never) => {
    const there = [...new Set(shelves.of.values())].sort()
    const seriesAt = (position: number): string => there[position % there.length] ?? ''
    const before = shelves
    switch (step.kind) {
      case 'move': {
        const [ids, seriesId] = [pick(step.picks), seriesAt(step.to)]
        const { historyId } = bodyOf(await editor.call(api.moveBooks, { body: { bookIds: ids, seriesId } }))
        shelves = put(ids, seriesId)
        return done.push({ historyId, before })
      }
      case 'new': {
        const ids = pick(step.picks)
        const newSeries = { title: 'Made', libraryId }
        const made = bodyOf(await editor.call(api.moveBooks, { body: { bookIds: ids, newSeries } }))
        shelves = put(ids, made.id)
        return done.push({ historyId: made.historyId, before })
      }
      case 'split': {
        const id = seriesAt(step.of)
        const ids = bookIds.filter((each) => shelves.of.get(each) === id).slice(0, step.some + 1)
        const made = bodyOf(await editor.call(api.splitSeries, { params: { id }, body: { bookIds: ids } }))
        shelves = put(ids, made.id)
        return done.push({ historyId: made.historyId, before })
      }
      case 'merge': {
        const [from, into] = [seriesAt(step.from), seriesAt(step.into)]
        if (from === into) return 0
        const { historyId } = bodyOf(await editor.call(api.mergeAnySeries, { body: { ids: [from], into } }))
        const of = new Map([...shelves.of].map(([id, each]) => [id, each === from ? into : each]))
        const merged = [...of].filter(([, each]) => each === into).map(([id]) => id)
        shelves = { of, byHand: new Set([...shelves.byHand, ...merged]) }
        return done.push({ historyId, before })
      }
      case 'undo': {
        const last = done.pop()
        if (!last) return 0
        bodyOf(await editor.call(api.undoHistory, { params: { historyId: last.historyId ?? '' } }))
        shelves = last.before
        return 0
      }
    }
  }

  const policies = ['flat', 'top_folder', 'metadata', 'volume_folders'] as const
  for (const [index, step] of fc.sample(edit, { numRuns: edits, seed }).entries()) {
    await carryOut(step)
    expect(await readSeries(), `seed ${seed}, edit ${index}: ${JSON.stringify(step)}`).toEqual(shelves.of)
    if ((index + 1) % editsBetweenScans > 0) continue
    await scanNow(server, libraryId, 'full')
    expect(await readSeries(), `seed ${seed}, scanned after ${index}`).toEqual(shelves.of)
    const policy = policies[Math.floor(index / editsBetweenScans) % policies.length] ?? 'flat'
    await regroupAs(server, libraryId, policy)
    const byHand = (of: ReadonlyMap<string, string>) => new Map([...of].filter(([id]) => shelves.byHand.has(id)))
    expect(byHand(await readSeries()), `seed ${seed}, ${policy} after ${index}`).toEqual(byHand(shelves.of))
    await regroupAs(server, libraryId, 'folder')
    expect(await readSeries(), `seed ${seed}, folder again after ${index}`).toEqual(shelves.of)
  }
}, 600_000)
