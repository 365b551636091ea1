import type { ExternalId } from '../../../formats/book-format.ts'
import type { SourceValues } from '../records.ts'

interface Elsewhere {
  readonly externalIds: readonly ExternalId[]
  readonly links: readonly string[]
}

/** No server has a lock for what other services call it, and no file says that again: somebody has put it there. */
export const elsewhere = ({ externalIds, links }: Elsewhere): SourceValues => ({
  ...(externalIds.length > 0 && { externalIds: { value: externalIds, locked: true } }),
  ...(links.length > 0 && {
    externalLinks: {
      value: links.map((url) => ({ source: new URL(url).hostname.replace(/^www\./, ''), url })),
      locked: true,
    },
  }),
})
