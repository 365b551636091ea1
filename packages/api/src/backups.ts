import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Backups'
const byName = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) })

export const backupReasons = ['manual', 'scheduled', 'export', 'migration', 'unknown'] as const

export const BackupDto = record(
  {
    name: Type.String(),
    size: Type.Integer({ minimum: 0, description: 'In bytes.' }),
    createdAt: Timestamp,
    verified: Type.Boolean({
      description: 'A database was made from it before it got its name. False: its end is missing or damaged by now.',
    }),
    reason: OneOf(backupReasons, { description: 'migration: the copy from before one.' }),
    program: Nullable(Type.String({ description: 'The version of Carrel that made it.' })),
    schemaVersion: Nullable(Count),
  },
  { title: 'Backup' },
)
export type BackupDto = Static<typeof BackupDto>

export const listBackups = listEndpoint('GET /api/v1/admin/backups', {
  summary: 'The backups in the data directory, the newest first',
  description: 'Those of the machine that answers.',
  tag,
  access: 'system:admin',
  item: BackupDto,
  title: 'BackupPage',
})

export const startBackup = endpoint('POST /api/v1/admin/backups', {
  summary: 'Make a backup',
  description:
    'In the background, while everything goes on. If one is being made already, that one is answered. When it is there, the oldest go, until as many are left as the setting backup.keep says.',
  tag,
  access: 'system:admin',
  status: 202,
  reply: record({ taskId: Id, alreadyRunning: Type.Boolean() }, { title: 'StartedBackup' }),
  example: { reply: { taskId: '019aa3b2-6c7e-7000-8000-000000000008', alreadyRunning: false } },
})

export const downloadBackup = endpoint('GET /api/v1/admin/backups/{name}/file', {
  summary: 'The file of a backup',
  tag,
  access: 'system:admin',
  params: byName,
  mediaType: 'application/octet-stream',
  errors: ['not_found', 'range_not_satisfiable'],
})

export const removeBackup = endpoint('DELETE /api/v1/admin/backups/{name}', {
  summary: 'Remove a backup',
  tag,
  access: 'system:admin',
  params: byName,
  errors: ['not_found'],
})
