import { setImmediate } from 'node:timers/promises'

/** Others are answered before the promise is kept. A few of these stand between steps that each go through ten thousand rows. */
export const nextTurn = (): Promise<void> => setImmediate()

/** So many rows are made in a millisecond. */
export const rowsAtOnce = 500

/** It makes something of each of ten thousand rows. Others are answered meanwhile: each part has a turn of its own. */
export const mapInTurns = async <Row, Made>(
  rows: Iterable<Row>,
  make: (row: Row) => Made,
  atOnce = rowsAtOnce,
): Promise<Made[]> => {
  const made: Made[] = []
  for (const row of rows) {
    if (made.length > 0 && made.length % atOnce === 0) await nextTurn()
    made.push(make(row))
  }
  return made
}
