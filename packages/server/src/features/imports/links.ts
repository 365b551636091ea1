import type { ReadDb } from '../../database/database.ts'
import { sha256 } from '../../platform/secrets/tokens.ts'
import { type RunRow, selectLinks } from './queries.ts'
import type { UserRecord } from './records.ts'

/** By this key it is known that something of theirs has been brought already. Ids there may be short: a name tells two servers apart. */
export const keyOf = (what: string, ...parts: readonly string[]): string =>
  `${what} ${sha256(JSON.stringify(parts)).slice(0, 40)}`

export const keyOfUser = ({ id, name, email }: UserRecord): string => keyOf('user', id, email ?? name ?? '')

/** Each once, without what has been brought before. */
export const freshAmong = async <Each extends { readonly key: string }>(
  db: ReadDb,
  kind: RunRow['kind'],
  all: readonly Each[],
): Promise<readonly Each[]> => {
  const once = [...new Map(all.map((each) => [each.key, each])).values()]
  const links = await selectLinks(
    db,
    kind,
    once.map(({ key }) => key),
  )
  return once.filter(({ key }) => !links.has(key))
}

/** The same fact has the same id whenever it comes, so that it is taken in once. It is of the form of a UUID. */
export const factId = (...parts: readonly unknown[]): string => {
  const digits = sha256(JSON.stringify(parts))
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}
