import type { ListedEntry } from '../../../formats/read-list.ts'
import { invalid } from '../../../platform/errors.ts'
import { cleanName } from '../../../platform/text/names.ts'
import { isNameTaken } from '../../../catalogue/member-lists/member-lists.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { readLists } from '../kind.ts'
import type { Match } from './match.ts'
import type { CandidateBook } from './queries.ts'
import { candidatesShown, findAll, type ImportContext, readFile } from './read-entries.ts'

/** It is a preview of a list that is not made yet, and says whether the name is free. */
export interface ListMatches {
  readonly name: string
  readonly nameIsTaken: boolean
  readonly entries: readonly { readonly entry: ListedEntry; readonly books: readonly CandidateBook[] }[]
}

/** It serves a client that makes the list later, from the books its user chooses. */
export const matchReadList = async (
  { db, decoders }: ImportContext,
  viewer: Viewer,
  bytes: Uint8Array,
): Promise<ListMatches> => {
  const file = await readFile(decoders, bytes)
  if (file.name === null) throw invalid('name', 'The file has no name for the list.')
  const name = cleanName(file.name, 'name')
  const matches = await findAll(db.readSlowly, viewer, file.entries)
  return {
    name,
    nameIsTaken: await isNameTaken(db.readSlowly, readLists, name),
    entries: file.entries.map((entry, index) => ({ entry, books: booksIn(matches[index]) })),
  }
}

const booksIn = (match: Match<CandidateBook> | undefined): readonly CandidateBook[] => {
  if (match === undefined || match.kind === 'none') return []
  return match.kind === 'one' ? [match.book] : match.books.slice(0, candidatesShown)
}
