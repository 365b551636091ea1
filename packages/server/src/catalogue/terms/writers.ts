import { termKey } from './term-key.ts'

const writingRoles = new Set(['author', 'co_author', 'writer', ''])

/** No name has this character. */
const between = '\u001f'

/** Who has written a book or a series, as its row keeps it for lists, in the order they are named in: `writersIn` reads it. */
export const writersOf = (
  authors: readonly { readonly name: string; readonly role?: string | null }[] = [],
): string | null => {
  // Who writes and draws is named in several roles, and said once.
  const names = new Map<string, string>()
  for (const { name, role } of authors) {
    if (!writingRoles.has((role ?? '').toLowerCase())) continue
    const key = termKey(name)
    if (!names.has(key)) names.set(key, name)
  }
  return names.size === 0 ? null : [...names.values()].join(between)
}

export const writersIn = (names: string | null): string[] => (names === null ? [] : names.split(between))
