import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { latestVersion } from '../../database/migrate.ts'
import { migrations } from '../../database/migrations/index.ts'
import { roomOn } from '../../platform/files/disk-reserve.ts'
import type { Log } from '../../platform/log.ts'
import { bytesOfCopy } from '../backups/backups.ts'
import { type DatabaseExamination, examineDatabase } from './database.ts'
import { failed, type Finding, formatBytes, ok, warning } from './finding.ts'

/** What the next start of this program would do to the database. */
export interface UpgradeExamination {
  /** Null where it could not be read; 0 without any table. */
  readonly schemaVersion: number | null
  readonly latestVersion: number
  readonly steps: readonly { readonly version: number; readonly name: string }[]
  readonly findings: readonly Finding[]
}

/** It changes nothing, and the program of before may be running. */
export const examineUpgrade = async (config: Config, log: Log): Promise<UpgradeExamination> => {
  const examined = await examineDatabase(config, log)
  const { version = null } = examined
  const isKnown = examined.findings.every(({ status }) => status !== 'failed')
  const steps = version === null || version === 0 || !isKnown ? [] : stepsAfter(version)
  const findings =
    steps.length === 0 ? examined.findings : [...examined.findings, ...(await examineRoom(config, examined))]
  return { schemaVersion: version, latestVersion, steps, findings }
}

const stepsAfter = (version: number) =>
  migrations.filter((step) => step.version > version).map(({ version, name }) => ({ version, name }))

/** The copy before it, and what is written while it runs: at most as much again. */
const examineRoom = async (config: Config, { bytes = 0 }: DatabaseExamination): Promise<readonly Finding[]> => {
  const { database, dataDir, copiesBeforeMigration } = config
  const check = 'room for the copy'
  if (!copiesBeforeMigration)
    return [
      warning(
        check,
        'CARREL_COPY_BEFORE_MIGRATION is false: no copy is kept before the migration.',
        'Make a backup first, with the program that runs now: carrel backup.',
      ),
    ]
  const copy = await bytesOfCopy(database, async () => bytes)
  const file = database.kind === 'sqlite' ? database.file : undefined
  const isOneDisk = file !== undefined && (await deviceOf(dirname(file))) === (await deviceOf(dataDir))
  const needed = isOneDisk ? 2 * copy : copy
  const { free } = await roomOn(dataDir)
  const message = `A copy is kept in ${dataDir} before the migration: about ${formatBytes(needed)} are needed, ${formatBytes(free)} are free.`
  return [free < needed ? failed(check, message, 'Free some space on that disk.') : ok(check, message)]
}

const deviceOf = async (folder: string): Promise<number> => (await stat(folder)).dev
