import { exampleLibrary } from '@carrel/api'
import { expect, test } from 'vitest'
import { changesOf, draftOf, isChanged } from './draft.ts'

test('only what is different is sent, and an empty description is none', () => {
  const before = draftOf({ ...exampleLibrary, description: 'Ours' })
  expect(isChanged(changesOf(before, { ...before, exclude: [...before.exclude] }))).toBe(false)
  expect(changesOf(before, { ...before, name: 'Other', description: '', formats: ['cbz'], schedule: null })).toEqual({
    name: 'Other',
    description: null,
    formats: ['cbz'],
    schedule: null,
  })
  const grouping = {
    policy: 'publisher_folders' as const,
    config: { levels: ['publisher' as const, 'series' as const] },
  }
  expect(changesOf(before, { ...before, grouping })).toEqual({ grouping })
  const deeper = { policy: 'publisher_folders' as const, config: { levels: ['skip' as const, 'series' as const] } }
  expect(changesOf({ ...before, grouping }, { ...before, grouping: deeper })).toEqual({ grouping: deeper })
})

test('what is changed back and forth is as it was', () => {
  const before = draftOf(exampleLibrary)
  const after = { ...before, roots: ['/data/other'], watch: false, listsFromFiles: true }
  expect(changesOf(after, before)).toEqual({ roots: before.roots, watch: true, listsFromFiles: false })
})
