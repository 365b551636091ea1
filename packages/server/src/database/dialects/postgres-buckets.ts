import { type Kysely, sql } from 'kysely'
import {
  type BucketDraw,
  type BucketDrawn,
  bucketTolerance,
  type SharedBuckets,
} from '../../platform/shared-buckets.ts'
import type { Schema } from '../schema.ts'

const sweepEveryMs = 60_000
const sweptAtOnceMax = 10_000

/**
 * Rows of `rate_bucket`, one statement a draw. Times are microseconds on the clock of the database. Now and then, behind a
 * draw, rows that have filled up are removed: a bucket without a row is full.
 */
export const postgresBuckets = (db: Kysely<Schema>): SharedBuckets => {
  let sweepAt = 0

  const sweep = async (): Promise<void> => {
    sweepAt = performance.now() + sweepEveryMs
    const removed = await deleteFull(db)
    if (removed === sweptAtOnceMax) sweepAt = 0
  }

  return {
    draw: async (draw) => {
      const drawn = await upsertBucket(db, draw)
      // Rows that stay for now are removed another time.
      if (performance.now() >= sweepAt) sweep().catch(() => undefined)
      return drawn
    },
  }
}

const now = sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`

/** The clock is read once the row is locked, so that of two nodes the later one never sees the earlier time. */
const upsertBucket = async (
  db: Kysely<Schema>,
  { key, rate, burst, wanted, since }: BucketDraw,
): Promise<BucketDrawn> => {
  const microsecondsFor = (tokens: typeof now) =>
    sql`ceil((${tokens})::double precision / ${rate}::double precision * 1000000)::bigint`
  const { rows } = await sql<BucketDrawn>`
    insert into rate_bucket as held (key, tokens, filled_at, full_at, given)
    select ${key}, ${burst}::double precision - ${wanted}::integer, clock.now,
      clock.now + ${microsecondsFor(sql`${wanted}`)}, ${wanted}::integer
    from (select ${now} as now) as clock
    on conflict (key) do update set (tokens, filled_at, full_at, given) = (
      select rest.tokens, clock.now, clock.now + ${microsecondsFor(sql`${burst}::double precision - rest.tokens`)}, part.given
      from (select ${now} as now) as clock
      cross join lateral (
        select greatest(0, least(${burst}::double precision, held.tokens
          + case when held.filled_at = ${since?.stamp ?? null}::bigint then ${since?.unused ?? 0}::double precision else 0 end
          + greatest(0, clock.now - held.filled_at) / 1000000.0::double precision * ${rate}::double precision)) as tokens
      ) as filled
      cross join lateral (
        select least(${wanted}::integer, floor(filled.tokens + ${bucketTolerance}::double precision))::integer as given
      ) as part
      cross join lateral (select greatest(0, filled.tokens - part.given) as tokens) as rest
    )
    returning given, tokens as left, filled_at as stamp`.execute(db)
  const [drawn] = rows
  if (!drawn) throw new Error('An upsert without a row')
  return drawn
}

/** A second more than full: within that time a node may still use what it drew. Rows that others hold are passed over. */
const deleteFull = async (db: Kysely<Schema>): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    delete from rate_bucket where key in (
      select key from rate_bucket where full_at < ${now} - 1000000 limit ${sweptAtOnceMax} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}
