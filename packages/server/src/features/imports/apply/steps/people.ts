import type { Access } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { raiseRevision } from '../../../../database/revisions.ts'
import { dropUnusedTags, requireTagsNamed, selectTagsByName } from '../../../access/access.ts'
import { nameKey } from '../../../../platform/text/sort-key.ts'
import { addTags, dropTags } from '../../../series/series.ts'
import { addUser, dropUser, selectUser, selectUserByName } from '../../../users/users.ts'
import { selectLabelled } from '../../matching/queries.ts'
import { deleteLinks, insertLinks, selectLinks } from '../../queries.ts'
import { freshAmong, keyOfUser } from '../../links.ts'
import type { UserRecord } from '../../records.ts'
import { type Applying, countsOf, type Step } from '../step.ts'

interface TagsDone {
  readonly tags: readonly string[]
  readonly series: readonly { readonly id: string; readonly tags: readonly string[] }[]
}

/** Before there is anybody whom a label is to keep from something. */
export const labels: Step<'series'> = {
  name: 'labels',
  part: 'users',
  reads: 'series',
  atOnce: 100,
  take: async (db, { series, now }, records) => {
    const labelled = records.flatMap(({ id, labels: own }) => {
      const ours = series.get(id)
      return ours === undefined || own.length === 0 ? [] : [{ ours, own }]
    })
    if (labelled.length === 0) return { counts: {} }
    await raiseRevision(db, 'access')
    const { ids, made } = await requireTagsNamed(db, [...new Set(labelled.flatMap(({ own }) => own))], now)
    const changed: { id: string; tags: readonly string[] }[] = []
    for (const { ours, own } of labelled) {
      const tags = await addTags(
        db,
        ours,
        own.flatMap((name) => ids.get(name) ?? []),
        now,
      )
      if (tags.length > 0) changed.push({ id: ours, tags })
    }
    const done: TagsDone = { tags: made, series: changed }
    return { done, counts: countsOf({ sharingTags: made.length, labels: changed.length }) }
  },
  foresee: async (db, { series, tagsToCome }, records) => {
    const labelled = records.flatMap(({ id, labels: own }) => {
      const ours = series.get(id)
      return ours === undefined ? [] : own.map((name) => ({ ours, name }))
    })
    const has = await selectLabelled(
      db,
      labelled.map(({ ours }) => ours),
    )
    const toCome = labelled.filter(({ ours, name }) => !has.get(ours)?.has(nameKey(name)))
    const sharingTags = await foreseeTags(
      db,
      toCome.map(({ name }) => name),
      tagsToCome,
    )
    return countsOf({ sharingTags, labels: new Set(toCome.map(({ ours }) => ours)).size })
  },
  undo: async (db, { now }, { tags, series }: TagsDone) => {
    await raiseRevision(db, 'access')
    for (const { id, tags: own } of series) await dropTags(db, id, own, now)
    await dropUnusedTags(db, tags)
  },
}

/** It counts those that are neither here nor counted yet. */
const foreseeTags = async (db: ReadDb, names: readonly string[], toCome: Set<string>): Promise<number> => {
  const here = await selectTagsByName(db, names)
  const before = toCome.size
  for (const name of names) if (!here.has(nameKey(name))) toCome.add(nameKey(name))
  return toCome.size - before
}

interface UsersDone {
  readonly users: readonly { readonly id: string; readonly key: string; readonly madeAt: string }[]
  readonly tags: readonly string[]
}

export const users: Step<'user'> = {
  name: 'users',
  part: 'users',
  reads: 'user',
  atOnce: 10,
  take: async (db, applying, records) => {
    const { run, now, users: userIds } = applying
    const links = await selectLinks(db, run.kind, records.map(keyOfUser))
    const fresh = records.filter((user) => !userIds.has(user.id) && !links.has(keyOfUser(user)))
    if (fresh.length === 0) return { counts: {} }
    // Takes its turn after those that delete tags and libraries, which these users may be getting.
    await raiseRevision(db, 'access')
    const names = [...new Set(fresh.flatMap(({ allowLabels, denyLabels }) => [...allowLabels, ...denyLabels]))]
    const { ids, made } = await requireTagsNamed(db, names, now)
    const done: { id: string; key: string; madeAt: string }[] = []
    for (const user of fresh) {
      const { id, createdAt } = await addOne(db, applying, user, ids)
      done.push({ id, key: keyOfUser(user), madeAt: createdAt })
    }
    await insertLinks(
      db,
      done.map(({ id, key }) => ({ kind: run.kind, key, ours: id, import_id: run.id, held: null })),
    )
    return {
      done: { users: done, tags: made } satisfies UsersDone,
      counts: countsOf({ users: done.length, sharingTags: made.length }),
    }
  },
  foresee: async (db, { kind, users: known, tagsToCome }, records) => {
    const strangers = records.filter((user) => known.get(user.id) === null)
    const fresh = await freshAmong(
      db,
      kind,
      strangers.map((user) => ({ ...user, key: keyOfUser(user) })),
    )
    const names = fresh.flatMap(({ allowLabels, denyLabels }) => [...allowLabels, ...denyLabels])
    return countsOf({ users: fresh.length, sharingTags: await foreseeTags(db, names, tagsToCome) })
  },
  undo: async (db, { run, now }, { users: made, tags }: UsersDone) => {
    await raiseRevision(db, 'access')
    for (const { id } of made) if (await isUntouched(db, id)) await dropUser(db, id, now)
    await deleteLinks(
      db,
      run.kind,
      made.map(({ key }) => key),
    )
    await dropUnusedTags(db, tags)
  },
}

/** Somebody who has got a password, or was here, stays. */
const isUntouched = async (db: WriteDb, id: string): Promise<boolean> => {
  const row = await selectUser(db, id)
  return row !== undefined && row.password_hash === null && row.last_login_at === null
}

const addOne = async (
  db: WriteDb,
  { libraries, now }: Applying,
  user: UserRecord,
  tagIds: ReadonlyMap<string, string>,
) => {
  const { name, email, role, isActive, mayDownload, ageCeiling, includeUnrated, allowLabels, denyLabels } = user
  const access: Partial<Access> = {
    // Libraries that are none of ours hide nothing here, and give nothing either.
    libraries: user.libraries === 'all' ? 'all' : [...new Set(user.libraries.flatMap((id) => libraries.get(id) ?? []))],
    ageCeiling,
    includeUnrated,
    allowTags: allowLabels.flatMap((label) => tagIds.get(label) ?? []),
    denyTags: denyLabels.flatMap((label) => tagIds.get(label) ?? []),
  }
  const isEmailFree = email !== null && (await selectUserByName(db, email)) === undefined
  return addUser(
    db,
    {
      username: await freeName(db, name ?? email ?? 'user'),
      email: isEmailFree ? email : null,
      role,
      isActive,
      withheldPermissions: mayDownload ? [] : ['files:download'],
      access,
    },
    null,
    now,
  )
}

const nameMax = 64
const numbersMax = 1000

const freeName = async (db: WriteDb, name: string): Promise<string> => {
  const plain =
    name
      .replace(/@.*$/, '')
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .trim()
      .slice(0, nameMax - 5)
      .toWellFormed() || 'user'
  if (!(await selectUserByName(db, plain))) return plain
  for (let number = 2; number < numbersMax; number += 1)
    if (!(await selectUserByName(db, `${plain}-${number}`))) return `${plain}-${number}`
  return `${plain}-${numbersMax}`
}
