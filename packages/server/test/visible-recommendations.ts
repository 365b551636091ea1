import type { Database } from '../src/database/database.ts'
import { insertMany } from '../src/database/many.ts'

const at = '2026-11-03T10:00:00.000Z'
/** They never grow old. */
const farAway = '2099-01-01T00:00:00.000Z'

type IdOf = (kind: 'series' | 'plugin', number: number) => string

/**
 * Recommended to them is every series there is, once by itself, once because of the one before it; and of another service all
 * that this server has or might have.
 */
export const recommendAll = async (db: Database, userId: string, worldSize: number, idOf: IdOf): Promise<void> => {
  const [own, elsewhere] = [idOf('plugin', 2), idOf('plugin', 3)]
  const series = await db.read.selectFrom('series').select(['id', 'metadata']).orderBy('id').execute()
  const ids = series.map(({ id }) => id)
  const numberOf = (id: string) => Number(id.slice(-3))
  const recommendation = (plugin_id: string, external_id: string, index: number, basedOn: readonly string[] = []) => ({
    user_id: userId,
    plugin_id,
    external_id,
    place: index,
    score: 1 / (index + 1),
    series_id: null as string | null,
    based_on_ids: JSON.stringify(basedOn),
    item: JSON.stringify({ ...nothingElse, title: external_id, reason: `As ${basedOn.join()}`, basedOn }),
  })
  const ofOwn = ids.flatMap((id) => {
    const number = numberOf(id)
    const before = idOf('series', (number + worldSize - 1) % worldSize)
    return [
      { ...recommendation(own, id, number), series_id: id },
      ...(ids.includes(before) ? [recommendation(own, `${id} because`, 20 + number, [before, id])] : []),
    ]
  })
  const ofOthers = Array.from({ length: worldSize }, (_, number) =>
    recommendation(elsewhere, String(number), 40 + number),
  )
  // Of the others is said where they stand elsewhere, if they do.
  const externalIds = series
    .filter(({ metadata }) => metadata === '{}')
    .map(({ id }) => ({
      entity_id: id,
      entity: 'series' as const,
      source: 'anilist',
      external_id: String(numberOf(id)),
      url: null,
    }))
  const batch = (plugin_id: string, source: string) => ({
    user_id: userId,
    plugin_id,
    source,
    asked_at: at,
    generated_at: farAway,
  })
  await db.write(async (db) => {
    await insertMany(db, 'plugin', [recommending(own, 'own'), recommending(elsewhere, 'other', 'api:anilist')])
    await insertMany(db, 'external_id', externalIds)
    await insertMany(db, 'recommendation_batch', [batch(own, 'plugin:own'), batch(elsewhere, 'api:anilist')])
    await insertMany(db, 'recommendation', [...ofOwn, ...ofOthers])
  })
}

const nothingElse = {
  countryOfOrigin: null,
  coverUrl: null,
  externalUrl: null,
  format: null,
  genres: [],
  inLibrary: false,
  popularity: null,
  rating: null,
  startYear: null,
  status: null,
  summary: null,
  tags: null,
  totalChapterCount: null,
  totalVolumeCount: null,
}

const recommending = (id: string, name: string, source?: string) => ({
  id,
  name,
  display_name: name,
  description: null,
  plugin_type: 'user' as const,
  enabled_for: 'everybody' as const,
  package: null,
  command: 'node',
  args: '[]',
  env_keys: '[]',
  env: null,
  credentials: null,
  working_directory: null,
  permissions: '[]',
  scopes: '[]',
  library_ids: '[]',
  config: '{}',
  credential_delivery: 'init_message' as const,
  log_level: null,
  requests_per_minute: null,
  request_timeout_seconds: null,
  options: '{}',
  enabled: 1 as const,
  disabled_reason: null,
  manifest: JSON.stringify({
    name,
    displayName: name,
    version: '1',
    protocolVersion: '1.0',
    capabilities: { userRecommendationProvider: true, ...(source !== undefined && { externalIdSource: source }) },
  }),
  isolation: null,
  last_success_at: null,
  last_failure_at: null,
  failures_from: at,
  revision: 1,
  created_at: at,
  updated_at: at,
})
