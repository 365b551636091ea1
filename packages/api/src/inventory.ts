import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Count, Id, record } from './schema.ts'

const counts = { seriesCount: Count, bookCount: Count, pageCount: Count }

export const Inventory = record(
  {
    libraryCount: Count,
    ...counts,
    totalBookSize: Count,
    databaseSize: Count,
    libraries: Type.Array(
      record({ id: Id, name: Type.String(), ...counts, totalSize: Count }, { title: 'LibraryInventory' }),
    ),
  },
  { title: 'Inventory' },
)
export type Inventory = Static<typeof Inventory>

const figures = { seriesCount: 210, bookCount: 4211, pageCount: 168_440 }

export const readInventory = endpoint('GET /api/v1/metrics/inventory', {
  tag: 'System',
  access: 'tasks:read',
  summary: 'Series, books, pages and bytes, in all and of each library',
  reply: Inventory,
  example: {
    reply: {
      libraryCount: 1,
      ...figures,
      totalBookSize: 441_523_118_080,
      databaseSize: 148_897_792,
      libraries: [
        {
          id: '019aa3b2-6c7e-7000-8000-000000000001',
          name: 'Comics',
          ...figures,
          totalSize: 441_523_118_080,
        },
      ],
    },
  },
})
