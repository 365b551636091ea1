import { expect, test } from 'vitest'
import { arranged, originsOf } from './arranged.ts'

const rec = (externalId: string, source: string, sourcePlugin: string) => ({ externalId, source, sourcePlugin })
const all = [rec('1', 'a', 'One'), rec('2', 'b', 'Two'), rec('3', 'a', 'Three'), rec('4', 'b', 'Two')]
const idsOf = (options: Parameters<typeof arranged>[1]) =>
  arranged(all, options).groups.map(({ name, items }) => [name, ...items.map(({ externalId }) => externalId)])

test('REC-1 together they keep the order of the server; by source each plugin stands alone, the best of them first', () => {
  expect(idsOf({ atMost: 10 })).toEqual([[undefined, '1', '2', '3', '4']])
  expect(idsOf({ atMost: 10, sort: 'source' })).toEqual([
    ['One', '1'],
    ['Two', '2', '4'],
    ['Three', '3'],
  ])
})

test('REC-1 of one source only its own, and no more than are wanted, over all groups', () => {
  expect(idsOf({ atMost: 10, source: 'b' })).toEqual([[undefined, '2', '4']])
  expect(idsOf({ atMost: 2, sort: 'source' })).toEqual([
    ['One', '1'],
    ['Two', '2'],
  ])
  expect(arranged(all, { atMost: 2, sort: 'source' }).total).toBe(4)
  expect(arranged(all, { atMost: 2, source: 'gone' })).toEqual({ groups: [], total: 0 })
})

test('REC-1 plugins that know things by the same ids are one source', () => {
  const source = { pluginId: '', cached: true, generatedAt: null, taskId: null, taskStatus: null }
  const sources = [
    { ...source, pluginName: 'One', source: 'a' },
    { ...source, pluginName: 'Two', source: 'b' },
    { ...source, pluginName: 'Three', source: 'a' },
  ]
  expect(originsOf(sources)).toEqual([
    { source: 'a', names: ['One', 'Three'] },
    { source: 'b', names: ['Two'] },
  ])
})
