import { Type } from 'typebox'
import { readStatuses } from '../../conditions.ts'
import { mainSchemes } from '../../endpoint.ts'
import { fileFormats } from '../../file-formats.ts'
import { Id, OneOf, pagingParameters } from '../../schema.ts'
import { queryLengthMax } from '../../search.ts'

/** Feeds of both versions take the same parameters, so that each can link to the other. */
export const opdsPaging = pagingParameters

export const opdsSeriesOrders = ['title', 'new', 'updated'] as const
export const opdsBookOrders = ['title', 'number', 'new', 'updated', 'released', 'read'] as const

const Term = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }))
const readStatus = Type.Optional(OneOf(readStatuses, { description: 'How far you have read them.' }))

const library = Type.Optional(Id)

/** A shelf, or that of one library. */
export const opdsShelfQuery = Type.Object({ library })
export const opdsRecentQuery = Type.Object({ library, ...opdsPaging })

export const opdsSeriesQuery = Type.Object({
  sort: Type.Optional(OneOf(opdsSeriesOrders, { description: 'By title unless said otherwise.' })),
  genre: Term,
  tag: Term,
  author: Term,
  publisher: Term,
  language: Term,
  library,
  ...opdsPaging,
})

export const opdsBookQuery = Type.Object({
  sort: Type.Optional(OneOf(opdsBookOrders, { description: 'By title unless said otherwise.' })),
  read: readStatus,
  format: Type.Optional(OneOf(fileFormats)),
  library,
  genre: Term,
  tag: Term,
  author: Term,
  language: Term,
  ...opdsPaging,
})

export const opdsBooksOfSeriesQuery = Type.Object({
  sort: Type.Optional(OneOf(opdsBookOrders, { description: 'By number unless said otherwise.' })),
  read: readStatus,
  ...opdsPaging,
})

export const opdsPagingQuery = Type.Object(opdsPaging)

const words = Type.Optional(Type.String({ maxLength: queryLengthMax }))
/** Both versions take either spelling of the search text. */
export const opdsSearchQuery = Type.Object({ query: words, q: words, title: words, author: words, ...opdsPaging })

export const byLetter = Type.Object({
  letter: Type.String({ minLength: 1, maxLength: 20, description: 'As it stands in the list of letters.' }),
})

export const opdsDoor = { door: 'opds', schemes: [...mainSchemes, 'basic'] } as const
