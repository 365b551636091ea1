import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { apiVersion, type ServerStatus } from '@carrel/api'
import type { Context } from '../../context.ts'
import { schemaVersion } from '../../database/migrate.ts'
import { selectWorkers } from './queries.ts'

const workersMax = 100

/** An operator wants to know this first when something is odd. */
export const readServerStatus = async ({
  db,
  config,
  clock,
  version,
}: Pick<Context, 'db' | 'config' | 'clock' | 'version'>): Promise<ServerStatus> => {
  const [bytes, schema, disk, workers] = await Promise.all([
    db.dialect.size(db.readSlowly),
    schemaVersion(db),
    statfs(config.dataDir),
    selectWorkers(db.readSlowly, workersMax),
  ])
  return {
    version,
    apiVersion,
    node: process.version,
    host: hostname(),
    startedAt: new Date(clock().getTime() - process.uptime() * 1000).toISOString(),
    database: { kind: db.dialect.name, schemaVersion: schema, bytes },
    storage: { dataDir: config.dataDir, bytesFree: disk.bavail * disk.bsize, bytesTotal: disk.blocks * disk.bsize },
    // The stored host has a suffix after the name that tells containers of the same name apart.
    workers: workers.map((worker) => ({ ...worker, host: worker.host.split(' ', 1)[0] ?? worker.host })),
  }
}
