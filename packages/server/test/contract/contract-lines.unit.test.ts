import { allEndpoints } from '@carrel/api/all-endpoints'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/http/openapi/openapi.ts'
import { linesOf, partsOf } from './contract-lines.ts'

type Json = Record<string, unknown>

const readDocument = async (): Promise<Json> =>
  structuredClone(await openApiDocument(allEndpoints, { basePath: '', version: 'as built' }))

/** Changes everything that stands in a value, one after the other, and undoes each change. An example counts as one. */
const changeEach = (value: object, visit: (pointer: string) => void, at = ''): void => {
  const fields = value as Json
  for (const [key, item] of Object.entries(fields)) {
    const here = `${at}/${key}`
    if (typeof item === 'object' && item !== null && !key.startsWith('example')) changeEach(item, visit, here)
    fields[key] = item === 'changed' ? 'otherwise' : 'changed'
    visit(`${here} is another`)
    fields[key] = item
  }
}

test('HTTP-7 whatever changes in the document changes a line of the snapshot', async () => {
  const unseen: string[] = []
  let changes = 0
  // The lines of the whole are those of its parts, and those are all made alike: a quarter of them is enough.
  const parts = partsOf(await readDocument()).filter((_, index) => index % 4 === 0)
  for (const [name, value] of parts) {
    const part = { [name]: value }
    const before = linesOf(part).join('\n')
    changeEach(part, (pointer) => {
      changes += 1
      if (linesOf(part).join('\n') === before) unseen.push(pointer)
    })
  }

  expect(unseen).toEqual([])
  expect(changes).toBeGreaterThan(5000)
})

test('HTTP-7 what is there is told from what is not, and a text from what it looks like', () => {
  const different = [
    {},
    { a: {} },
    { a: [] },
    { a: null },
    { a: 'null' },
    { a: '→ schemas/Book' },
    { a: { $ref: '#/components/schemas/Book' } },
  ]

  expect(new Set(different.map((each) => linesOf(each).join('\n'))).size).toBe(different.length)
})
