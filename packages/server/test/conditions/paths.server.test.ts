import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import type { Viewer } from '../../src/catalogue/visibility/visibility.ts'
import { plainText } from '../../src/platform/text/sort-key.ts'
import { bodyOf } from '../outcome.ts'
import { startServer } from '../start-server.ts'
import { buildWorld } from './world.ts'

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }

test('CAT-4 a part of a path may lie in that of the root, below it, or in both', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const world = await buildWorld(server.context.db, admin.id)
  const seen: Viewer = { userId: admin.id, rule: everything, deletedLibraries: [], seesPaths: true }
  const paths = new Map(
    world.books
      .filter(({ isMissing }) => !isMissing)
      .map(({ id, plain }) => [id, plainText(String(plain(seen)['path']))]),
  )
  const [some = ''] = [...paths.values()].toSorted()
  const parts = ['UNO', '/data/t', 'two/', some.slice(5, 14), some.slice(-8), '/', '.cbz', 'o', some, 'nowhere']
  const holds = {
    contains: (path: string, part: string) => path.includes(part),
    doesNotContain: (path: string, part: string) => !path.includes(part),
    beginsWith: (path: string, part: string) => path.startsWith(part),
    endsWith: (path: string, part: string) => path.endsWith(part),
    is: (path: string, part: string) => path === part,
  } as const
  for (const part of parts)
    for (const [name, isSo] of Object.entries(holds)) {
      const condition = { path: { operator: name as keyof typeof holds, value: part } }
      const { data } = bodyOf(
        await admin.call(api.listBooksByCondition, { query: { pageSize: 500 }, body: { condition } }),
      )
      const expected = [...paths].filter(([, path]) => isSo(path, plainText(part))).map(([id]) => id)
      expect([part, name, data.map(({ id }) => id).toSorted()]).toEqual([part, name, expected.toSorted()])
    }
})
