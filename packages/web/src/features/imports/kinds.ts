/** What can be taken over, in the order in which it is asked about. */
export const parts = ['users', 'progress', 'ratings', 'lists', 'wants', 'bookmarks', 'metadata', 'covers'] as const

/** What they are called is the same in every language. */
export const kinds = [
  { value: 'komga', label: 'Komga' },
  { value: 'kavita', label: 'Kavita' },
  { value: 'codex', label: 'Codex' },
  { value: 'stump', label: 'Stump' },
  { value: 'lanraragi', label: 'LANraragi' },
  { value: 'calibre', label: 'calibre, calibre-web' },
  { value: 'mihon', label: 'Mihon, Tachiyomi' },
] as const

export const nameOf = (kind: string): string => kinds.find(({ value }) => value === kind)?.label ?? kind

/** These can be asked while they run. */
const kindsWithAddress = ['komga', 'lanraragi', 'codex'] as const

export const kindWithAddress = (kind: string) => kindsWithAddress.find((each) => each === kind)
