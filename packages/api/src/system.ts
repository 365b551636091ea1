import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

export const apiVersion = '2.2.0'

/** Why a part of the server does not do its work. */
export const healthProblems = [
  'database_damaged',
  'disk_full',
  'worker_ended',
  'worker_silent',
  'stopping',
  'broken',
] as const

const Check = record({
  status: OneOf(['ok', 'failed']),
  code: Type.Optional(OneOf(healthProblems, { description: 'The same as `message`, for programs.' })),
  message: Type.Optional(Type.String({ description: 'What is wrong, when something is; in English.' })),
})

export const Readiness = record(
  { status: OneOf(['ok', 'not_ready']), checks: Type.Record(Type.String(), Check) },
  { title: 'Readiness' },
)
export type Readiness = Static<typeof Readiness>

export const readHealth = endpoint('GET /health', {
  summary: 'Whether the server runs',
  description: 'Answered from memory; touches neither database nor disk.',
  tag: 'Health',
  access: 'open',
  unlimited: true,
  reply: record({ status: Type.Literal('ok') }, { title: 'Health' }),
  example: { reply: { status: 'ok' } },
})

export const readLiveness = endpoint('GET /health/live', {
  summary: 'Whether the process turns',
  tag: 'Health',
  access: 'open',
  unlimited: true,
  reply: record(
    {
      status: Type.Literal('ok'),
      uptimeSeconds: Type.Integer({ minimum: 0 }),
      eventLoopDelayMs: Type.Number({
        minimum: 0,
        description: '99th percentile since the last look; 0 when nobody has looked for two minutes.',
      }),
    },
    { title: 'Liveness' },
  ),
  example: { reply: { status: 'ok', uptimeSeconds: 3600, eventLoopDelayMs: 1.2 } },
})

export const readReadiness = endpoint('GET /health/ready', {
  summary: 'Whether the server can do its work',
  description:
    'Writes to the database, looks at the data directory, the migration and the worker. 503 while something fails or the server stops: a damaged database, a full disk and a worker that is silent are named.',
  tag: 'Health',
  access: 'open',
  unlimited: true,
  reply: Readiness,
  example: { reply: { status: 'ok', checks: { database: { status: 'ok' }, storage: { status: 'ok' } } } },
})

export const readInfo = endpoint('GET /api/v1/info', {
  summary: 'Name and versions',
  tag: 'Info',
  access: 'open',
  reply: record({ name: Type.String(), version: Type.String(), apiVersion: Type.String() }, { title: 'Info' }),
  example: { reply: { name: 'Carrel', version: '0.1.0', apiVersion } },
})

const Bytes = Type.Integer({ minimum: 0 })

export const ServerProblem = record(
  {
    id: Id,
    code: OneOf(['database_damaged', 'disk_full']),
    path: Type.String({ description: 'The file that is damaged, or the folder whose disk is full.' }),
    detail: Type.String({ description: 'What the database or the system said.' }),
    since: Timestamp,
    message: Type.String({ description: 'What it means, and what to do.' }),
    backup: Nullable(Type.String({ description: 'The newest backup there is, for `carrel restore`.' })),
  },
  { title: 'ServerProblem' },
)
export type ServerProblem = Static<typeof ServerProblem>

export const readServerProblems = endpoint('GET /api/v1/admin/server/problems', {
  summary: 'What keeps the server from working as it should',
  description:
    'Answered from memory, also while the database is damaged or the disk is full. Empty when all is well. What comes is told by the event `notification`.',
  tag: 'Health',
  access: 'system:admin',
  reply: record({ problems: Type.Array(ServerProblem) }, { title: 'ServerProblems' }),
  example: {
    reply: {
      problems: [
        {
          id: '019aa3b2-6c7e-7000-8000-000000000001',
          code: 'database_damaged',
          path: '/var/lib/carrel/carrel.db',
          detail: 'database disk image is malformed',
          since: '2026-11-21T10:00:00.000Z',
          message:
            'The database /var/lib/carrel/carrel.db is damaged: nothing can be changed any more. Stop Carrel and put the newest backup in its place: carrel restore /var/lib/carrel/backups/carrel-2026-11-21T02-00-00-000Z.zip',
          backup: '/var/lib/carrel/backups/carrel-2026-11-21T02-00-00-000Z.zip',
        },
      ],
    },
  },
})

export const ServerStatus = record(
  {
    version: Type.String(),
    apiVersion: Type.String(),
    node: Type.String({ description: 'The version of Node.js it runs on.' }),
    host: Type.String({ description: 'The machine that answers.' }),
    startedAt: Timestamp,
    database: record({ kind: OneOf(['sqlite', 'postgres']), schemaVersion: Count, bytes: Bytes }),
    storage: record(
      { dataDir: Type.String(), bytesFree: Bytes, bytesTotal: Bytes },
      { description: 'The disk of the data directory.' },
    ),
    workers: Type.Array(
      record({ host: Type.String(), startedAt: Timestamp, lastSeenAt: Timestamp, tasks: Count }, { title: 'Worker' }),
      { description: 'Those that have done something in the last day, the latest seen first; at most 100.' },
    ),
  },
  { title: 'ServerStatus' },
)
export type ServerStatus = Static<typeof ServerStatus>

export const readServerStatus = endpoint('GET /api/v1/admin/server', {
  summary: 'Versions, database, storage and workers of the server',
  tag: 'Health',
  access: 'system:admin',
  reply: ServerStatus,
  example: {
    reply: {
      version: '0.1.0',
      apiVersion,
      node: 'v24.11.0',
      host: 'bookshelf',
      startedAt: '2026-11-21T10:00:00.000Z',
      database: { kind: 'sqlite', schemaVersion: 20, bytes: 73_400_320 },
      storage: { dataDir: '/var/lib/carrel', bytesFree: 52_428_800_000, bytesTotal: 107_374_182_400 },
      workers: [
        { host: 'bookshelf', startedAt: '2026-11-21T10:00:01.000Z', lastSeenAt: '2026-11-21T10:41:00.000Z', tasks: 1 },
      ],
    },
  },
})

export const readOpenApi = endpoint('GET /api/openapi.json', {
  summary: 'This document',
  description: 'With `tag` only the operations of that tag, and what they need.',
  tag: 'Info',
  access: 'open',
  query: record({ tag: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) }),
  reply: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
  example: { reply: { openapi: '3.1.0' } },
})

export const readMetrics = endpoint('GET /metrics', {
  summary: 'Figures for Prometheus',
  description: 'Off unless CARREL_METRICS_ENABLED is set; then for callers with tasks:read.',
  tag: 'Health',
  access: 'tasks:read',
  mediaType: 'text/plain',
  errors: ['not_found'],
})
