import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { addLibrary, addListedSeries, addSeries } from '../../../../test/content.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { startServer } from '../../../../test/start-server.ts'
import { insertMany } from '../../../database/many.ts'
import { newId } from '../../../platform/ids.ts'

const having = 1500
const others = 40

test('W10 HTTP-5 series of a genre that more than a thousand have are counted without those that have no book, and so are the others', async () => {
  await using server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const titles = Array.from({ length: having + others }, (_, index) => `Series ${String(index).padStart(6, '0')}`)
  await addListedSeries(db, library, titles)
  const empty = await addSeries(db, library, { title: 'Without a book' })
  const rows = await db.read.selectFrom('series').select(['id', 'title']).orderBy('sort_key').execute()
  const genreId = newId()
  await db.write(async (db) => {
    const created_at = new Date(0).toISOString()
    await insertMany(db, 'term', [
      { id: genreId, kind: 'genre', name: 'Common', key: 'common', sort_key: 'common', created_at },
    ])
    const ids = [...rows.filter(({ id }) => id !== empty.id).slice(0, having), empty].map(({ id }) => id)
    await insertMany(
      db,
      'series_term',
      ids.map((series_id) => ({ series_id, term_id: genreId, role: '', place: 0 })),
    )
  })
  const reader = await server.person('reader')
  const narrow = await server.person('reader', { access: { libraries: [library.id] } })
  const pageWith = async (operator: 'is' | 'isNot', page: number, person = reader) => {
    const condition = { genre: { operator, value: 'Common' } } as const
    const query = { page, pageSize: 20 }
    const { total, data } = bodyOf(await person.call(api.listSeriesByCondition, { query, body: { condition } }))
    return { total, titles: data.map(({ title }) => title) }
  }

  for (const person of [reader, narrow]) {
    expect(await pageWith('is', 1, person)).toEqual({ total: having, titles: titles.slice(0, 20) })
    expect(await pageWith('is', 75, person)).toEqual({ total: having, titles: titles.slice(having - 20, having) })
    expect(await pageWith('isNot', 2, person)).toEqual({ total: others, titles: titles.slice(having + 20) })
  }
})
