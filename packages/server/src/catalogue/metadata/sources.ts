import { isDeepStrictEqual } from 'node:util'
import type { MetadataSources } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import { type Entity, inContract } from './fields.ts'
import { byPriority, type Layer } from './layers.ts'
import { selectLayers, selectNamesOfUsers } from './queries.ts'
import { type MetadataRow, recordOf } from './records.ts'
import { spokenIn, type Word } from './spoken-layers.ts'

/** For each field that a source speaks of, or that is locked, it holds who says what. A lock is no source. */
export const readSources = async (
  db: ReadDb,
  entity: Entity,
  id: string,
  { derived, ...metadataRow }: MetadataRow & { readonly derived?: string | undefined },
): Promise<MetadataSources> => {
  const all = (await selectLayers(db, [id])).filter(({ source }) => source !== 'lock')
  const rows = (derived === undefined ? all : withDerived(all, derived)).sort(byPriority)
  const words = rows.flatMap((row) =>
    Object.entries(spokenIn(entity, row)).map(([field, word]) => ({
      field: inContract(entity, field),
      source: row.source,
      word,
    })),
  )
  const speakers = new Set(words.flatMap(({ word }) => word.by ?? []))
  const nameOf = await selectNamesOfUsers(db, [...speakers])
  const record = recordOf(entity, metadataRow) as Readonly<Record<string, unknown>>
  const locked = new Set(JSON.parse(metadataRow.locks) as string[])
  const byField = Map.groupBy(words, ({ field }) => field)
  const names = [...new Set([...byField.keys(), ...locked])].filter((field) => field in record).sort()
  return {
    fields: Object.fromEntries(
      names.map((field) => {
        const values = (byField.get(field) ?? []).map(({ source, word }) => ({
          source,
          value: shownValue(entity, field, word),
          at: word.at,
          by: personOf(word, nameOf),
        }))
        const isLocked = locked.has(field)
        return [field, { shown: shownOf(values, record[field], isLocked), locked: isLocked, values }]
      }),
    ),
  }
}

/** What the books say that a viewer sees, as layers, in the place of what all books of a series say. */
const withDerived = (layers: Awaited<ReturnType<typeof selectLayers>>, derived: string) => {
  const isOfBooks = ({ source }: { readonly source: string }): boolean =>
    source === 'path' || source.startsWith('file:')
  const [first] = layers.filter(isOfBooks)
  if (!first) return layers
  const seen = JSON.parse(derived) as readonly Layer<object>[]
  return [
    ...layers.filter((layer) => !isOfBooks(layer)),
    ...seen.map(({ source, fields }) => ({ ...first, source, fields: JSON.stringify(fields) })),
  ]
}

const personOf = ({ by }: Word, nameOf: ReadonlyMap<string, string>) => {
  const username = by === null ? undefined : nameOf.get(by)
  return by === null || username === undefined ? null : { id: by, username }
}

/** The value is the one that would be shown; null where somebody says that there is nothing. */
const shownValue = (entity: Entity, field: string, { value }: Word): unknown => {
  if (value === null || field === 'externalIds') return value
  const layerField = field === 'externalLinks' ? 'links' : field
  const record = recordOf(entity, { metadata: JSON.stringify({ [layerField]: value, [field]: value }), locks: '[]' })
  return (record as Readonly<Record<string, unknown>>)[field] ?? value
}

interface Value {
  readonly source: string
  readonly value: unknown
}

/** Without a lock whoever goes first; with one the first whose word is the same as what is held. */
const shownOf = (values: readonly Value[], shown: unknown, isLocked: boolean): string | null => {
  const [first] = values
  if (!first || first.source === 'user' || !isLocked) return first?.source ?? null
  return values.find(({ value }) => isDeepStrictEqual(value, shown))?.source ?? null
}
