/** Programs that compute take a cell that begins so for a formula. */
const formula = /^[=+\-@\t\r]/

export const csvLine = (cells: readonly (string | number | boolean | null)[]): string =>
  `${cells.map(cellOf).join(',')}\r\n`

const cellOf = (value: string | number | boolean | null): string => {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows of cells, as RFC 4180 has them; the quote before what might be a formula is taken away again. */
export const parseCsv = (text: string): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  const next = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/gy
  while (next.lastIndex < text.length) {
    const [, quoted, bare, end] = next.exec(text) ?? []
    if (end === undefined) throw new RangeError(`Line ${rows.length + 1} is no CSV.`)
    const cell = quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"')
    row.push(cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell)
    if (end === ',') {
      // The last cell of a text that ends with a comma is an empty one.
      if (next.lastIndex === text.length) row.push('')
      else continue
    }
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows.filter((cells) => cells.some((cell) => cell !== ''))
}
