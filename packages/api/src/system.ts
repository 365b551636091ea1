import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { OneOf, record } from './schema.ts'

/** The version of the published API. */
export const apiVersion = '2.2.0'

const Check = record({
  status: OneOf(['ok', 'failed']),
  message: Type.Optional(Type.String({ description: 'What is wrong, when something is.' })),
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
    'Writes to the database, looks at the data directory and the migration. 503 while something fails or the server stops.',
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

export const readOpenApi = endpoint('GET /api/openapi.json', {
  summary: 'This document',
  tag: 'Info',
  access: 'open',
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
