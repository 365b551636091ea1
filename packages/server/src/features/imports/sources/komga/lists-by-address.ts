import { type ForeignRecord, recordLimits } from '../../records.ts'
import { askIfAllowed, objectsIn } from '../asking.ts'
import { textOf, truthOf, wholeOf } from '../values.ts'
import { allOf, type KomgaSession, idIn } from './komga-session.ts'

const membersIn = ({ passedOver }: KomgaSession, value: unknown): string[] => {
  const ids = Array.isArray(value) ? value : []
  if (ids.length > recordLimits.members) passedOver.add('members of long lists', 'too_much')
  return [...new Set(ids.slice(0, recordLimits.members).flatMap((each) => idIn(each) ?? []))]
}

export async function* askedLists(komga: KomgaSession): AsyncGenerator<ForeignRecord> {
  for await (const list of allOf(komga, 'readlists')) {
    const id = idIn(list['id']) ?? ''
    yield {
      type: 'readList',
      ...sharedOf(id, list),
      summary: textOf(list['summary'], 2000),
      books: membersIn(komga, list['bookIds']),
    }
    noteHidden(komga, list)
    yield* coversOf(komga, 'readlists', id)
  }
  for await (const list of allOf(komga, 'collections')) {
    const id = idIn(list['id']) ?? ''
    yield { type: 'collection', ...sharedOf(id, list), summary: null, series: membersIn(komga, list['seriesIds']) }
    noteHidden(komga, list)
    yield* coversOf(komga, 'collections', id)
  }
}

const sharedOf = (id: string, list: Readonly<Record<string, unknown>>) => ({
  id,
  name: textOf(list['name'], 200) ?? id,
  isOrdered: truthOf(list['ordered']),
  owner: null,
  isShared: true,
})

/** What the owner of a key may not see, their lists do not tell. */
const noteHidden = ({ passedOver }: KomgaSession, list: Readonly<Record<string, unknown>>): void => {
  if (truthOf(list['filtered']))
    passedOver.add('lists with more in them than the owner of the key may see', 'not_in_store', textOf(list['name']))
}

const subjects = {
  books: (book: string) => ({ book }),
  series: (series: string) => ({ series }),
  collections: (collection: string) => ({ collection }),
  readlists: (readList: string) => ({ readList }),
} as const

/** Komga makes the others itself, or takes them from files, as is done here. Each takes a request of its own. */
export async function* coversOf(
  { source, passedOver }: KomgaSession,
  kind: keyof typeof subjects,
  id: string,
): AsyncGenerator<ForeignRecord> {
  for (const each of objectsIn(await askIfAllowed(source, `/api/v1/${kind}/${id}/thumbnails`))) {
    const cover = idIn(each['id'])
    if (cover === null || each['type'] !== 'USER_UPLOADED' || !truthOf(each['selected'])) continue
    const bytes = wholeOf(each['fileSize'], 1, Number.MAX_SAFE_INTEGER)
    if (bytes !== null && bytes > recordLimits.coverBytes) passedOver.add('covers of more than 20 MiB', 'too_much', id)
    else yield { type: 'cover', of: subjects[kind](id), ref: `${kind}/${id}/thumbnails/${cover}`, bytes }
  }
}

export const isCoverRef = (ref: string): boolean =>
  /^(?:books|series|collections|readlists)\/[\w-]{1,100}\/thumbnails\/[\w-]{1,100}$/.test(ref)
