import { recordLimits } from '../records.ts'

const listed = recordLimits.entries + 1

/**
 * SQL that makes one text of the rows of `from`, as many as a record holds, for `textsOf`. JSON cannot hold what is no text, and a column can
 * hold anything.
 */
export const gathered = (value: string, from: string): string =>
  `(select json_group_array(cast(value as text)) from (select ${value} as value from ${from} limit ${listed}))`

/** The same with a list for each row, for `rowsOf`. */
export const gatheredRows = (values: readonly string[], from: string): string => {
  const names = values.map((_, index) => `value${index}`)
  const columns = values.map((value, index) => `${value} as ${names[index]}`).join(', ')
  const list = names.map((name) => `cast(${name} as text)`).join(', ')
  return `(select json_group_array(json_array(${list})) from (select ${columns} from ${from} limit ${listed}))`
}
