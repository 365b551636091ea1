import { Type } from 'typebox'
import { Nullable } from './schema.ts'

/** These numbers, with its title and its series, make up the name of a book (`bookTitleIn`). */
export const bookNumbers = {
  number: Nullable(Type.Number()),
  volume: Nullable(Type.Integer()),
  chapter: Nullable(Type.Number()),
}
