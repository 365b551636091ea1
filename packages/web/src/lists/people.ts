interface Person {
  readonly name: string
  readonly role?: string | null
}

/** Whose work it is above all, before those who helped. */
const leadingRoles: ReadonlySet<string> = new Set(['', 'author', 'writer', 'co_author', 'artist'])
const shownMax = 2

/** The names that stand for a work in one line: those who wrote it, else whoever is named first. */
export const leadingNames = (people: readonly Person[]): string[] => {
  const leading = people.filter(({ role }) => leadingRoles.has(role?.toLowerCase() ?? ''))
  const names = (leading.length > 0 ? leading : people).map(({ name }) => name)
  return [...new Set(names)].slice(0, shownMax)
}
