import { types } from 'pg'

/** Counts and sizes fit a double; as strings they would not compare. */
export const readPostgresNumbers = (): void => {
  types.setTypeParser(types.builtins.INT8, Number)
  types.setTypeParser(types.builtins.NUMERIC, Number)
}
