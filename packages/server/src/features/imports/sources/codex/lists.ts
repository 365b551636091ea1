import { requireCondition, fieldsIn } from '../../../../filtering/filtering.ts'
import { AppError } from '../../../../platform/errors.ts'
import { type ForeignRecord, type PresetRecord, recordLimits } from '../../records.ts'
import { type FileBeside, fileBeside } from '../beside.ts'
import { objectOf } from '../json-lists.ts'
import type { StoreRow } from '../sqlite.ts'
import { soundPath, textOf, truthOf } from '../values.ts'
import { hexOf, uuidOf } from './ids.ts'
import type { OpenStore } from './open-store.ts'
import { selectChosenCovers, selectCollections, selectMembers, selectPresets, selectReadLists } from './queries.ts'

/** Lists belong to the whole server. */
const listOf = (row: StoreRow, id: string) => ({
  id,
  name: textOf(row['name']) ?? id,
  summary: textOf(row['summary'], recordLimits.prose),
  isOrdered: truthOf(row['isOrdered']),
  owner: null,
  isShared: true,
})

export function* collectionsIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectCollections(store.db)) {
    const id = uuidOf(row['id'])
    if (id === null) store.passed.add('collections without an id', 'invalid', textOf(row['name']))
    else if (truthOf(row['isAutomatic']))
      store.passed.add('collections that fill themselves', 'unreadable', textOf(row['name']))
    else yield { type: 'collection', ...listOf(row, id), series: membersOf(store, 'collection', id) }
  }
}

export function* readListsIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectReadLists(store.db)) {
    const id = uuidOf(row['id'])
    if (id === null) store.passed.add('read lists without an id', 'invalid', textOf(row['name']))
    else yield { type: 'readList', ...listOf(row, id), books: membersOf(store, 'readList', id) }
  }
}

const membersOf = ({ db, passed }: OpenStore, what: 'collection' | 'readList', id: string): readonly string[] => {
  const members = new Set<string>()
  for (const row of selectMembers(db, what, hexOf(id), recordLimits.members + 1)) {
    const member = uuidOf(row['member'])
    if (member !== null) members.add(member)
  }
  if (members.size <= recordLimits.members) return [...members]
  passed.add(`lists with more than ${recordLimits.members} members, of which the first are taken`, 'too_much')
  return [...members].slice(0, recordLimits.members)
}

/** The database has the path on its own machine; what comes after this folder is the same here. */
const uploadOf = (path: string): string | undefined => /^.*\/uploads\/(.+)$/.exec(path)?.[1]

export const coverFile = (folder: string | null, upload: string): FileBeside | undefined => {
  const path = soundPath(upload)
  return path === null ? undefined : fileBeside(folder, [`uploads/${path}`])
}

export function* coversIn({ db, passed }: OpenStore, folder: string | null): Generator<ForeignRecord> {
  for (const row of selectChosenCovers(db)) {
    const [id, path] = [uuidOf(row['id']), textOf(row['path'])]
    const upload = path === null ? undefined : uploadOf(path)
    const cover = upload === undefined ? undefined : coverFile(folder, upload)
    if (id === null || upload === undefined)
      passed.add('chosen covers of nothing, or without a picture', 'invalid', path)
    else if (cover === undefined)
      passed.add('chosen covers whose pictures are not with the store', 'not_in_store', upload)
    else if (cover.size > recordLimits.coverBytes) passed.add('chosen covers of more than 20 MiB', 'too_much', upload)
    else
      yield {
        type: 'cover',
        of: row['what'] === 'book' ? { book: id } : { series: id },
        ref: upload,
        bytes: cover.size,
      }
  }
}

const targets: Readonly<Record<string, PresetRecord['target']>> = { series: 'series', book: 'books', books: 'books' }

/** Conditions are in the words of ours, unless they name what has another id here. */
export function* presetsIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectPresets(db)) {
    const [user, name, target] = [uuidOf(row['user']), textOf(row['name']), targets[textOf(row['target']) ?? '']]
    const condition = target && conditionOf(target, row['condition'])
    if (user === null || name === null || target === undefined || condition === undefined)
      passed.add('filter presets that cannot be said here', 'unreadable', name)
    else if (row['library'] !== null) passed.add('filter presets for one library', 'unreadable', name)
    else yield { type: 'preset', user, name, target, condition, query: textOf(row['query']), sort: textOf(row['sort']) }
  }
}

const idFields = ['libraryId', 'seriesId']

const conditionOf = (target: PresetRecord['target'], json: unknown): PresetRecord['condition'] | undefined => {
  const condition = objectOf(json)
  if (condition === undefined) return undefined
  try {
    const fields = fieldsIn(requireCondition(target, condition, '/condition'))
    return idFields.some((each) => fields.has(each)) ? undefined : condition
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
