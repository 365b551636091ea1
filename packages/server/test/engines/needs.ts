/** Databases that speak PostgreSQL's protocol and keep the rows on many machines. */
export const engines = ['YugabyteDB', 'CockroachDB', 'Citus'] as const
type Engine = (typeof engines)[number]

/** Something that PostgreSQL has and not each of the others. What they lack is what their own documentation says. */
export interface Need {
  readonly name: string
  /** How a statement, or a call of the query builder, shows it. */
  readonly written: RegExp
  readonly lacking: Partial<Record<Engine, string>>
  /** The only files of the server that may ask for it, and what it is for there. Elsewhere each of them would be asked too much. */
  readonly usedIn: readonly string[]
  readonly purpose?: string
}

const nowhere: readonly string[] = []

export const needs: readonly Need[] = [
  {
    name: 'triggers',
    written: /create (or replace )?(constraint )?trigger/i,
    lacking: { Citus: 'not on distributed tables' },
    usedIn: nowhere,
  },
  {
    name: 'functions of our own',
    written: /create (or replace )?(function|procedure)|plpgsql/i,
    lacking: { Citus: 'must be distributed by hand' },
    usedIn: nowhere,
  },
  {
    name: 'generated columns',
    written: /generated always as \(|\.generatedAlwaysAs\(/i,
    lacking: { YugabyteDB: 'not stored ones in older versions' },
    usedIn: nowhere,
  },
  {
    name: 'deferrable constraints',
    written: /\bdeferrable\b|\binitially deferred\b|\.deferrable\(/i,
    lacking: { YugabyteDB: 'missing', CockroachDB: 'missing', Citus: 'not over shards' },
    usedIn: nowhere,
  },
  {
    name: 'exclusion constraints and GiST indexes',
    written: /\bexclude using\b|using (gist|spgist|brin)/i,
    lacking: { YugabyteDB: 'missing', CockroachDB: 'missing' },
    usedIn: nowhere,
  },
  {
    name: 'inherited tables',
    written: /\binherits \(/i,
    lacking: { YugabyteDB: 'missing', CockroachDB: 'missing' },
    usedIn: nowhere,
  },
  {
    name: 'locks of whole tables',
    written: /\block table\b/i,
    lacking: { YugabyteDB: 'missing', CockroachDB: 'missing' },
    usedIn: nowhere,
  },
  {
    name: 'where a row lies',
    written: /\b(xmin|xmax|ctid)\b/i,
    lacking: { YugabyteDB: 'missing', CockroachDB: 'missing' },
    usedIn: nowhere,
  },
  {
    name: 'extensions',
    written: /create extension/i,
    lacking: { CockroachDB: 'missing' },
    usedIn: nowhere,
  },
  {
    name: 'temporary tables and cursors',
    written: /create temp|\bdeclare \w+ cursor\b|\.temporary\(/i,
    lacking: { CockroachDB: 'experimental', Citus: 'on the coordinator alone' },
    usedIn: nowhere,
  },
  {
    name: 'recursive queries',
    written: /with recursive|\.withRecursive\(/i,
    lacking: { Citus: 'within one shard alone' },
    usedIn: ['doors/compat/terms/queries.ts'],
    purpose: 'the roles of people, one step through an index for each',
  },
  {
    name: 'grouping sets and samples of tables',
    written: /grouping sets|tablesample/i,
    lacking: { Citus: 'within one shard alone' },
    usedIn: nowhere,
  },
  {
    name: 'MERGE and DISTINCT ON',
    written: /\bmerge into\b|\bdistinct on\b|\.mergeInto\(|\.distinctOn\(/i,
    lacking: { CockroachDB: 'MERGE is missing', Citus: 'within one shard alone' },
    usedIn: nowhere,
  },
  {
    name: 'LISTEN and NOTIFY',
    written: /^(un)?listen\s+\w|^notify\s+\w|pg_notify/im,
    lacking: { YugabyteDB: 'from 2025.2.3 on', CockroachDB: 'missing', Citus: 'on the coordinator' },
    usedIn: ['database/dialects/postgres-wake-ups.ts', 'database/dialects/postgres.ts'],
    purpose: 'processes wake each other',
  },
  {
    name: 'FOR UPDATE SKIP LOCKED',
    written: /skip locked|\.skipLocked\(/i,
    lacking: { CockroachDB: 'from 22.2 on', Citus: 'within one shard alone' },
    usedIn: ['database/dialects/postgres-buckets.ts', 'database/dialects/postgres.ts'],
    purpose: 'workers take different tasks, and full buckets are removed',
  },
  {
    name: 'weak locks of rows',
    written: /for (no key update|key share)/i,
    lacking: { CockroachDB: 'taken for the strong ones, or for none', Citus: 'within one shard alone' },
    usedIn: ['database/dialects/postgres.ts'],
    purpose: 'a row is locked, and rows that refer to it can be written',
  },
  {
    name: 'advisory locks',
    written: /pg_(try_)?advisory/i,
    lacking: { YugabyteDB: 'missing in older versions', CockroachDB: 'they lock nothing', Citus: 'on the coordinator' },
    usedIn: ['database/dialects/postgres-swap.ts'],
    purpose: 'one restore at a time',
  },
  {
    name: 'unlogged tables',
    written: /\bunlogged\b/i,
    lacking: { YugabyteDB: 'logged all the same', CockroachDB: 'logged all the same' },
    usedIn: ['database/dialects/postgres-buckets.ts'],
    purpose: 'rate limits; an ordinary table where there is none',
  },
  {
    name: 'blocks of statements',
    written: /\bdo \$\$/i,
    lacking: { CockroachDB: 'from 24.1 on' },
    usedIn: ['database/dialects/postgres-buckets.ts'],
    purpose: 'the same table, once',
  },
  {
    name: 'GIN over words',
    written: /using gin|tsvector|tsquery|pg_trgm|gin_trgm_ops/i,
    lacking: {
      CockroachDB: 'no index for words that come from a query',
      YugabyteDB: 'one column',
      Citus: 'in each shard',
    },
    usedIn: ['database/dialects/postgres-text-index.ts', 'database/dialects/postgres-word-index.ts'],
    purpose: 'search, and parts of texts',
  },
  {
    name: 'rows out of JSON',
    written: /json(b)?_(populate_recordset|to_recordset|each)/i,
    lacking: { Citus: 'INSERT … SELECT over all shards' },
    usedIn: [
      'catalogue/search-index/by-words/queries.ts',
      'database/dialects/postgres-many.ts',
      'database/dialects/postgres-rows.ts',
      'doors/compat/terms/queries.ts',
      'filtering/tests.ts',
    ],
    purpose: 'many rows are one parameter',
  },
  {
    name: 'moving tables between schemas',
    written: /\bset schema\b|create schema|drop schema/i,
    lacking: { Citus: 'not for distributed tables in older versions' },
    usedIn: ['database/dialects/postgres-swap.ts'],
    purpose: 'a restore takes the place of what was there',
  },
]
