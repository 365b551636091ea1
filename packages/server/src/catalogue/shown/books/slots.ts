import type { ReadDb } from '../../../database/database.ts'
import { type Slot, slotOf } from '../../../naming/book-order.ts'
import { selectNumbersIn } from './queries.ts'

interface NumberByHand {
  readonly bookId: string
  readonly seriesId: string
  /** Absent: nobody has said one, and the book stands where its own numbers put it. */
  readonly numberSort: number | null | undefined
}

/** Where books go whose number in order has been said. Only the others decide: they have their numbers from elsewhere. */
export const findSlots = async (db: ReadDb, books: readonly NumberByHand[]): Promise<ReadonlyMap<string, Slot>> => {
  const numbered = books.flatMap(({ numberSort, ...book }) => (numberSort == null ? [] : [{ ...book, numberSort }]))
  const seriesIds = [...new Set(numbered.map(({ seriesId }) => seriesId))]
  const numbers = seriesIds.length === 0 ? [] : await selectNumbersIn(db, seriesIds)
  const bySeries = Map.groupBy(numbers, ({ series_id }) => series_id)
  const own = new Set(numbered.map(({ bookId }) => bookId))
  return new Map(
    numbered.map(({ bookId, seriesId, numberSort }) => {
      const others = (bySeries.get(seriesId) ?? []).filter(({ id }) => !own.has(id))
      return [bookId, slotOf(numberSort, others)]
    }),
  )
}
