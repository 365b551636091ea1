import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'
import { workedOff } from '../../../test/scanning.ts'

test('F1 example books are drawn when they are asked for, and gone with one request', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const editor = await server.person('editor')
  const folder = join(server.context.config.dataDir, 'example-library')
  expect(bodyOf(await admin.call(api.readExampleLibrary, {}))).toEqual({ library: null })
  expect(errorOf(await editor.call(api.createExampleLibrary, { body: { name: 'Mine' } }))).toMatchObject({
    error: 'not_allowed',
  })

  const library = bodyOf(await admin.call(api.createExampleLibrary, { body: { name: 'Example' } }))
  expect(bodyOf(await admin.call(api.createExampleLibrary, { body: { name: 'Again' } })).id).toBe(library.id)
  await workedOff(server)
  const { data } = bodyOf(await admin.call(api.listBooks, { query: { pageSize: 50 } }))
  expect(data.filter(({ analysisError }) => analysisError !== null)).toEqual([])
  expect(data.map(({ seriesName, fileFormat }) => `${seriesName} ${fileFormat}`).toSorted()).toEqual([
    'A Walk Behind the Hill cbz',
    'A Walk Behind the Hill cbz',
    'Lamps of Hollow Street cbz',
    'Lamps of Hollow Street cbz',
    'The Late Ferry cbz',
    'The Late Ferry cbz',
    'The Reading Room epub',
  ])
  expect(data.find(({ seriesName }) => seriesName === 'Lamps of Hollow Street')).toMatchObject({
    readingDirection: 'rtl',
    pageCount: 7,
  })
  expect(existsSync(folder)).toBe(true)

  expect((await admin.call(api.deleteExampleLibrary, {})).status).toBe(204)
  expect(bodyOf(await admin.call(api.readExampleLibrary, {}))).toEqual({ library: null })
  expect(bodyOf(await admin.call(api.listBooks, {})).total).toBe(0)
  expect(existsSync(folder)).toBe(false)
  // It can be had again.
  expect(bodyOf(await admin.call(api.createExampleLibrary, { body: { name: 'Example' } })).id).not.toBe(library.id)
})
