import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventFields, streamEventFields } from './events.ts'

const document = readFileSync(new URL('../../../docs/clients/events.md', import.meta.url), 'utf8')

// The list is copied by hand from EVT-2 of the specification; the starred ones are expanded to what their area can do.
const specified = [
  ...['created', 'updated', 'deleted', 'unavailable'].map((verb) => `library_${verb}`),
  ...['created', 'updated', 'deleted', 'metadata_updated', 'merged'].map((verb) => `series_${verb}`),
  ...['created', 'updated', 'deleted', 'restored'].map((verb) => `book_${verb}`),
  'cover_updated',
  ...['created', 'updated', 'deleted'].flatMap((verb) => [`collection_${verb}`, `read_list_${verb}`]),
  'progress_updated',
  ...['created', 'updated', 'deleted'].map((verb) => `preset_${verb}`),
  'task_progress',
  'scan_progress',
  'scan_held',
  'duplicates_updated',
  ...['created', 'updated', 'enabled', 'disabled', 'deleted'].map((verb) => `plugin_${verb}`),
  'recommendations_updated',
  'setting_updated',
  ...['created', 'updated', 'deleted'].map((verb) => `user_${verb}`),
  'release_announced',
  'notification',
]

test('EVT-2 the contract has the kinds of the specification and no others', () => {
  expect(Object.keys(eventFields).sort()).toEqual([...specified].sort())
})

test('EVT-2 docs/clients/events.md and the contract list the same kinds with the same fields', () => {
  const rows = document.matchAll(/^\| `(\w+)` \| (.+?) \| .+ \|$/gm)
  const written = [...rows].map(([, type = '', fields = '']) => [
    type,
    [...fields.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ])
  const inContract = Object.entries({ ...eventFields, ...streamEventFields }).map(([type, fields]) => [
    type,
    Object.keys(fields),
  ])

  expect(written).toEqual(inContract)
})
