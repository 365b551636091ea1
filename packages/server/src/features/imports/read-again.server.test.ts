import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import type { Person } from '../../../test/start-server.ts'
import { type Household, importing, startHousehold } from '../../../test/stores.ts'
import { changedStore, storePath } from '../../../test/stores/read.ts'

let home: Household
let mara: Person
beforeAll(async () => {
  home = await startHousehold()
  mara = await home.server.person('reader', { username: 'mara' })
})
afterAll(() => home[Symbol.asyncDispose]())

const historyOf = async (title: string) => {
  const { readCount, entries } = bodyOf(await mara.call(api.readReadHistory, { params: { id: home.bookAt(title) } }))
  return { readCount, ends: entries.map(({ completedAt }) => completedAt).toSorted() }
}

/** Mara reads a book of Kavita's once more: this much of it in one sitting, to its end. */
const readOnceMore = (pagesRead: number) => `
  insert into AppUserReadingSession (Id, AppUserId, Created, CreatedUtc, EndTime, EndTimeUtc, IsGenerated, LastModified, LastModifiedUtc, StartTime, StartTimeUtc)
    select 900, s.AppUserId, s.Created, s.CreatedUtc, s.EndTime, '2026-02-01 11:00:00', 0, s.LastModified, s.LastModifiedUtc, s.StartTime, '2026-02-01 10:00:00'
    from AppUserReadingSession s where s.Id = (${finishedByMara});
  insert into AppUserReadingSessionActivityData (Id, AppUserReadingSessionId, ChapterId, DeviceIds, EndPage, EndTime, EndTimeUtc, Format,
      LibraryId, PagesRead, SeriesId, StartPage, StartTime, StartTimeUtc, TotalPages, TotalWords, VolumeId, WordsRead)
    select 900, 900, ChapterId, DeviceIds, TotalPages, EndTime, '2026-02-01 11:00:00', Format, LibraryId, ${pagesRead}, SeriesId, 0, StartTime,
      '2026-02-01 10:00:00', TotalPages, 0, VolumeId, 0
    from AppUserReadingSessionActivityData where AppUserReadingSessionId = (${finishedByMara});`
const finishedByMara = `select s.Id from AppUserReadingSession s
  join AppUserReadingSessionActivityData a on a.AppUserReadingSessionId = s.Id
  join AspNetUsers u on u.Id = s.AppUserId where u.UserName = 'mara' and s.EndTimeUtc like '2024-12-21 07:38:43%'`

const kavita = (pagesRead: number) => changedStore(storePath('kavita', 'kavita.db'), readOnceMore(pagesRead))
/** Both ends are told by completions alone, as in a store of before Codex kept a log. */
const codex = () => changedStore(storePath('codex', 'codex.db'), 'delete from reading_sessions')

test.each([
  [
    'stump',
    () => storePath('stump', 'stump.db'),
    'Iron Garden 001',
    ['2025-09-27T15:03:15.027Z', '2025-11-06T15:03:15.027Z'],
  ],
  ['codex', codex, 'Iron Garden 001', ['2025-09-27T15:03:15.027Z', '2025-11-06T15:03:15.027Z']],
  ['kavita', () => kavita(13), '[Deluxe] 01', ['2024-12-21T07:38:43.278Z', '2026-02-01T11:00:00.000Z']],
  ['kavita', () => kavita(1), '[Deluxe] 01', ['2024-12-21T07:38:43.278Z']],
] as const)('C25 a book that %s has seen finished again counts as read again', async (kind, storeOf, title, ends) => {
  const { read, apply, undo } = importing(home.server, home.admin)
  const { id } = await read({ kind, source: { path: storeOf() } })
  await apply(id)
  expect(await historyOf(title)).toEqual({ readCount: ends.length, ends })
  await undo(id)
  expect(await historyOf(title)).toEqual({ readCount: 0, ends: [] })
})
