import { listGenres, listPeople, listTags } from '@carrel/api'
import { paths } from '../../navigation/paths.ts'

/** What series and books can be looked up by, each a place of its own: how it is called in addresses, filters and the API. */
export const termKinds = {
  person: { all: listPeople, pathOfAll: paths.people, pathOf: paths.person, icon: 'person' },
  genre: { all: listGenres, pathOfAll: paths.genres, pathOf: paths.genre, icon: 'bookmark' },
  tag: { all: listTags, pathOfAll: paths.tags, pathOf: paths.tag, icon: 'bookmark' },
} as const

export type TermKind = keyof typeof termKinds

export const termsOnPage = 90
