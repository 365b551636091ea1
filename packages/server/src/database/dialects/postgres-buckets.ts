import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import {
  type BucketDraw,
  type BucketDrawn,
  bucketTolerance,
  type SharedBuckets,
} from '../../platform/shared-buckets.ts'

const sweepEveryMs = 60_000
const sweptAtOnceMax = 10_000

/**
 * Rows of `rate_bucket`, one statement a draw. Times are microseconds on the clock of the database. Now and then, behind a
 * draw, rows that have filled up are removed: a bucket without a row is full.
 */
export const postgresBuckets = (pool: Pool, { isPooled }: { readonly isPooled: boolean }): SharedBuckets => {
  let sweepAt = 0

  const sweep = async (): Promise<void> => {
    sweepAt = performance.now() + sweepEveryMs
    if ((await deleteFull(pool)) === sweptAtOnceMax) sweepAt = 0
  }

  return {
    draw: async (draw) => {
      const drawn = await upsertBucket(pool, draw, isPooled ? undefined : drawName)
      // Rows that could not be removed are removed another time.
      if (performance.now() >= sweepAt) sweep().catch(() => undefined)
      return drawn
    },
  }
}

const bucketColumns = `(
    key text collate "C" primary key,
    tokens double precision not null,
    filled_at bigint not null,
    full_at bigint not null,
    given integer not null
  ) with (fillfactor = 50)`

/**
 * The table is not logged where the database has such tables: what a crash empties is full again. A single node counts in
 * memory.
 */
export const createBucketTable = async (db: Kysely<unknown>): Promise<void> => {
  const columns = sql.raw(bucketColumns)
  // The refusal of one statement would be the end of the transaction.
  await sql`
    do $$ begin
      create unlogged table rate_bucket ${columns};
    exception when feature_not_supported then
      create table rate_bucket ${columns};
    end $$`.execute(db)
}

/** The clock is read once the row is locked, so that of two nodes the later one never sees the earlier time. */
const clock = '(select (extract(epoch from clock_timestamp()) * 1000000)::bigint as now) as clock'

/** Each connection plans once what has a name: planning takes longer than all the rest. */
const drawName = 'draw_on_bucket'

const drawStatement = `
    insert into rate_bucket as held (key, tokens, filled_at, full_at, given)
    select $1::text, $3::float8 - $4::integer, clock.now, clock.now + ceil($4 / $2::float8 * 1000000)::bigint, $4
    from ${clock}
    on conflict (key) do update set (tokens, filled_at, full_at, given) = (
      select rest.tokens, clock.now, clock.now + ceil(($3 - rest.tokens) / $2 * 1000000)::bigint, part.given
      from ${clock}
      cross join lateral (
        select greatest(0, least($3, held.tokens
          + case when held.filled_at = $5::bigint then $6::float8 else 0 end
          + greatest(0, clock.now - held.filled_at)::float8 / 1000000 * $2)) as tokens
      ) as filled
      cross join lateral (select least($4, floor(filled.tokens + $7::float8))::integer as given) as part
      cross join lateral (select greatest(0, filled.tokens - part.given) as tokens) as rest
    )
    returning given, tokens as left, filled_at as stamp`

const upsertBucket = async (
  pool: Pool,
  { key, rate, burst, tokens, since }: BucketDraw,
  name: string | undefined,
): Promise<BucketDrawn> => {
  const values = [key, rate, burst, tokens, since?.stamp ?? null, since?.unused ?? 0, bucketTolerance]
  const { rows } = await pool.query<BucketDrawn>({ text: drawStatement, values, ...(name !== undefined && { name }) })
  const [drawn] = rows
  if (!drawn) throw new Error('An upsert without a row')
  return drawn
}

/**
 * A bucket is deleted one second after it is full: within that time a node may still use what it drew. Locked rows are
 * skipped.
 */
const deleteFull = async (pool: Pool): Promise<number> => {
  const { rowCount } = await pool.query(
    `delete from rate_bucket where key in (
      select key from rate_bucket, ${clock} where full_at < clock.now - 1000000 limit $1
      for update of rate_bucket skip locked
    )`,
    [sweptAtOnceMax],
  )
  return rowCount ?? 0
}
