interface Person {
  readonly name: string
  readonly role?: string | null
}

/** Whose work it is above all, before those who helped. */
const leadingRoles: ReadonlySet<string> = new Set(['', 'author', 'writer', 'co_author', 'artist'])
const shownMax = 2

interface LeadingNames {
  readonly names: readonly string[]
  /** They have as much to do with it, and no room in the line. */
  readonly others: readonly string[]
}

/** The names that stand for a work in one line: those who wrote it, else whoever is named first. */
export const leadingNames = (people: readonly Person[]): LeadingNames => {
  const leading = people.filter(({ role }) => leadingRoles.has(role?.toLowerCase() ?? ''))
  const names = (leading.length > 0 ? leading : people).map(({ name }) => name)
  const all = [...new Set(names)]
  return { names: all.slice(0, shownMax), others: all.slice(shownMax) }
}
