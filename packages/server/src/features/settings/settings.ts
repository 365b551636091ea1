import type { ListAnswer, SettingDto, SettingHistoryEntry, SettingValue } from '@carrel/api'
import { ConfigError } from '../../config.ts'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { raiseRevision } from '../../database/revisions.ts'
import { announce } from '../../events/outbox.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Paging } from '../../platform/paging.ts'
import {
  becauseOf,
  definitionOf,
  isSettingKey,
  keyFromVariable,
  problemWith,
  type SettingKey,
  settingKeys,
  type ValueOf,
  valueFromText,
} from './definitions.ts'
import {
  type Author,
  countChanges,
  deleteSetting,
  insertChange,
  selectChanges,
  selectStoredSettings,
  type StoredSetting,
  upsertSetting,
} from './queries.ts'

/** The settings as this process knows them. Reading one costs nothing; `freshen` looks whether somebody changed one. */
export interface Settings {
  get<Key extends SettingKey>(key: Key): ValueOf<Key>
  freshen(): void | Promise<void>
}

type Initial = ReadonlyMap<SettingKey, SettingValue>

export const openSettings = async (db: Database, variables: ReadonlyMap<string, string>): Promise<Settings> => {
  const initial = readInitial(variables)
  let revision = (await db.revisions()).settings
  let stored = await selectStoredSettings(db.read)
  let reading: Promise<void> | undefined

  const readAgain = async (newer: number): Promise<void> => {
    try {
      stored = await selectStoredSettings(db.read)
      revision = newer
    } finally {
      reading = undefined
    }
  }
  const compare = (current: number): void | Promise<void> => {
    if (current === revision) return
    reading ??= readAgain(current)
    return reading
  }

  return {
    get: <Key extends SettingKey>(key: Key) => (stored.get(key)?.value ?? unchangedValue(initial, key)) as ValueOf<Key>,
    freshen: () => {
      const revisions = db.revisions()
      return revisions instanceof Promise
        ? revisions.then(({ settings }) => compare(settings))
        : compare(revisions.settings)
    },
  }
}

/** `CARREL_SETTING_…` give settings the value they have until somebody changes them. */
export const readInitial = (variables: ReadonlyMap<string, string>): Initial =>
  new Map(
    [...variables].map(([name, text]) => {
      const key = keyFromVariable(name)
      if (!key) throw new ConfigError(`CARREL_SETTING_${name} names no setting`)
      const value = valueFromText(key, text)
      const problem = problemWith(key, value)
      if (problem) throw new ConfigError(`CARREL_SETTING_${name} is ${JSON.stringify(text)}, but ${problem}`)
      return [key, value as SettingValue]
    }),
  )

const unchangedValue = (initial: Initial, key: SettingKey): SettingValue =>
  initial.get(key) ?? definitionOf(key).defaultValue

export const listSettings = async (
  db: ReadDb,
  initial: Initial,
  category: string | undefined,
): Promise<SettingDto[]> => {
  const stored = await selectStoredSettings(db)
  return settingKeys
    .map((key) => describe(key, stored.get(key), initial))
    .filter((setting) => category === undefined || setting.category === category)
}

export const readSetting = async (db: ReadDb, initial: Initial, key: string): Promise<SettingDto> => {
  if (!isSettingKey(key)) throw notFound('setting')
  const stored = await selectStoredSettings(db)
  return describe(key, stored.get(key), initial)
}

export interface SettingChange {
  readonly key: string
  readonly value: unknown
}

export interface ChangeCircumstances {
  readonly initial: Initial
  readonly by: Author
  readonly now: Date
  readonly reason?: string | undefined
  readonly expectMatch?: (current: SettingDto) => void
}

/** Either all of the changes are written or none. */
export const changeSettings = (
  db: Database,
  changes: readonly SettingChange[],
  { initial, by, now, reason, expectMatch }: ChangeCircumstances,
): Promise<SettingDto[]> =>
  db.write(async (db) => {
    await raiseRevision(db, 'settings')
    const stored = await selectStoredSettings(db)
    const at = now.toISOString()
    const accepted = changes.map((change, index) => requireAcceptable(change, expectMatch ? '' : `/updates/${index}`))
    for (const { key, value } of accepted) {
      expectMatch?.(describe(key, stored.get(key), initial))
      const oldValue = stored.get(key)?.value ?? unchangedValue(initial, key)
      const change = { id: newId(now.getTime()), key, at, by, oldValue, newValue: value, reason }
      await upsertSetting(db, change)
      await insertChange(db, change)
      stored.set(key, { value, updatedAt: at, updatedBy: by })
    }
    await announceChanged(
      db,
      accepted.map(({ key }) => key),
      now,
    )
    return accepted.map(({ key }) => describe(key, stored.get(key), initial))
  })

export const resetSetting = (
  db: Database,
  key: string,
  { initial, by, now, expectMatch }: ChangeCircumstances,
): Promise<SettingDto> => {
  if (!isSettingKey(key)) throw notFound('setting')
  return db.write(async (db) => {
    await raiseRevision(db, 'settings')
    const stored = (await selectStoredSettings(db)).get(key)
    expectMatch?.(describe(key, stored, initial))
    if (stored) await forget(db, key, stored, { initial, by, now })
    return describe(key, undefined, initial)
  })
}

const forget = async (
  db: WriteDb,
  key: SettingKey,
  stored: StoredSetting,
  { initial, by, now }: ChangeCircumstances,
): Promise<void> => {
  const newValue = unchangedValue(initial, key)
  await deleteSetting(db, key)
  const at = now.toISOString()
  await insertChange(db, { id: newId(now.getTime()), key, at, by, oldValue: stored.value, newValue, reason: 'Reset' })
  await announceChanged(db, [key], now)
}

const announceChanged = (db: WriteDb, keys: readonly SettingKey[], now: Date): Promise<void> =>
  announce(
    db,
    keys.map((key) => ({ event: { type: 'setting_updated', key }, to: { permission: 'settings:read' } })),
    now,
  )

export const readHistory = async (
  db: ReadDb,
  key: string,
  paging: Paging,
): Promise<ListAnswer<SettingHistoryEntry>> => {
  if (!isSettingKey(key)) throw notFound('setting')
  const total = await countChanges(db, key)
  return { total, data: paging.offset < total ? await selectChanges(db, key, paging) : [] }
}

export const publicSettings = (settings: Settings): Record<string, { key: string; value: SettingValue }> =>
  Object.fromEntries(
    settingKeys
      .filter((key) => definitionOf(key).isPublic)
      .map((key) => [key, { key, value: settings.get(key) as SettingValue }]),
  )

const requireAcceptable = ({ key, value }: SettingChange, path: string): { key: SettingKey; value: SettingValue } => {
  if (!isSettingKey(key)) throw invalid(`${path}/key`, `There is no setting ${key}.`)
  const problem = problemWith(key, value)
  if (problem) {
    throw new AppError('validation_failed', `${key} ${problem}.`, {
      details: [{ path: `${path}/value`, message: problem }],
      ...becauseOf(key, value),
    })
  }
  return { key, value: value as SettingValue }
}

const describe = (key: SettingKey, stored: StoredSetting | undefined, initial: Initial): SettingDto => {
  const { valueType, defaultValue, description, minimum, maximum, allowed } = definitionOf(key)
  return {
    key,
    category: key.slice(0, key.indexOf('.')),
    value: stored?.value ?? unchangedValue(initial, key),
    valueType,
    defaultValue,
    minimum: minimum ?? null,
    maximum: maximum ?? null,
    allowed: allowed ? [...allowed] : null,
    description,
    isSensitive: false,
    restartRequired: false,
    updatedAt: stored?.updatedAt ?? null,
    updatedBy: stored?.updatedBy ?? null,
  }
}
