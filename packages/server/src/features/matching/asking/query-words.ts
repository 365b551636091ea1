import type { MatchQueries } from '../../../decoders/match-queries.ts'
import type { Decoders } from '../../../decoders/pool.ts'
import { BookFault } from '../../../formats/book-format.ts'
import { AppError } from '../../../platform/errors.ts'
import { customMetadataIn, type Entity, externalIdsIn, recordOf } from '../../../catalogue/metadata/metadata.ts'
import type { Provider } from './providers.ts'

interface QueryRow {
  readonly title: string
  readonly metadata: string
  readonly locks: string
  readonly book_count?: number
}

const silenceMaxMs = 20_000

/** What a plugin is asked for, and whether its administrator wants it to be asked by itself at all. */
export const queriesFor = async (
  decoders: Decoders,
  provider: Provider,
  entity: Entity,
  rows: readonly QueryRow[],
): Promise<MatchQueries> => {
  const { searchQueryTemplate: template, searchPreprocessingRules: rules, autoMatchConditions } = provider.options
  const isPlain = template == null && rules == null && autoMatchConditions == null
  if (isPlain) return rows.map(({ title }) => ({ query: title, isMeant: true, rulesApplied: 0 }))
  const contexts = rows.map((each) => contextOf(entity, each))
  const input = {
    template: template ?? null,
    rules: rules ?? null,
    conditions: autoMatchConditions ?? null,
    contexts,
  }
  try {
    return await decoders.run('matchQueries', input, { urgent: true, silenceMaxMs })
  } catch (error) {
    if (!(error instanceof BookFault)) throw error
    const message = `What ${provider.displayName} is to be asked cannot be worked out: ${error.message}`
    throw new AppError('conflict', message, { cause: error })
  }
}

export const wordsFor = async (
  decoders: Decoders,
  provider: Provider,
  entity: Entity,
  row: QueryRow,
): Promise<MatchQueries[number]> => {
  const [only] = await queriesFor(decoders, provider, entity, [row])
  return only ?? { query: row.title, isMeant: true, rulesApplied: 0 }
}

export const queryFor = async (
  decoders: Decoders,
  provider: Provider,
  entity: Entity,
  row: QueryRow,
): Promise<string> => (await wordsFor(decoders, provider, entity, row)).query

const contextOf = (entity: Entity, row: QueryRow) => {
  const ids = externalIdsIn(row.metadata).toReversed()
  return {
    title: row.title,
    bookCount: row.book_count ?? null,
    metadata: { ...recordOf(entity, row), title: row.title },
    externalIds: {
      count: ids.length,
      ...Object.fromEntries(ids.map(({ source, id }) => [source, id])),
    },
    customMetadata: customMetadataIn(row.metadata),
  }
}
