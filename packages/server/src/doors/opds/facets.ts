import type { Facet, Target } from './feed.ts'

interface Choice {
  readonly title: string
  readonly value: string | undefined
}

/** Each choice keeps the others that have been made, and begins at the first page. */
const facet = (title: string, parameter: string, self: Target, choices: readonly Choice[]): Facet => {
  const { query = {} } = self
  const chosen = query[parameter]
  return {
    title,
    choices: choices.map((choice, place) => ({
      title: choice.title,
      target: { ...self, query: { ...query, [parameter]: choice.value, page: undefined } },
      isActive: choice.value === chosen || (place === 0 && chosen === undefined),
    })),
  }
}

const reading: readonly Choice[] = [
  { title: 'All', value: undefined },
  { title: 'Unread', value: 'unread' },
  { title: 'Reading', value: 'in_progress' },
  { title: 'Read', value: 'read' },
]
const orders = {
  title: { title: 'Title', value: 'title' },
  number: { title: 'Number', value: 'number' },
  new: { title: 'Newest', value: 'new' },
  updated: { title: 'Updated', value: 'updated' },
  released: { title: 'Published', value: 'released' },
  read: { title: 'Last read', value: 'read' },
} as const
const formats: readonly Choice[] = [
  { title: 'All', value: undefined },
  ...['cbz', 'cbr', 'pdf', 'epub'].map((value) => ({ title: value.toUpperCase(), value })),
]

export const booksOfSeriesFacets = (self: Target): readonly Facet[] => [
  facet('Sort by', 'sort', self, [orders.number, orders.title, orders.new, orders.released, orders.read]),
  facet('Read status', 'read', self, reading),
]

export const bookFacets = (self: Target): readonly Facet[] => [
  facet('Sort by', 'sort', self, [orders.title, orders.new, orders.updated, orders.released, orders.read]),
  facet('Read status', 'read', self, reading),
  facet('Format', 'format', self, formats),
]
