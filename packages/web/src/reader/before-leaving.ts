import { currentConnection } from '../api/connection.ts'

/** A server that hangs keeps nobody in a book for longer; one that answers takes a few hundredths of a second. */
const patienceMs = 2500

const tellers = new Set<() => Promise<unknown>>()

/** What is to be told before the reader is left by its own button or key; it returns a function that takes that back. */
export const beforeLeaving = (tell: () => Promise<unknown>): (() => void) => {
  tellers.add(tell)
  return () => {
    tellers.delete(tell)
  }
}

/** The page one comes back to asks at once where one is: by then the server has heard it, if it answers in time. */
export const toldBeforeLeaving = async (): Promise<void> => {
  if (currentConnection().kind !== 'connected') return
  const patience = new Promise((resolve) => setTimeout(resolve, patienceMs))
  await Promise.race([patience, Promise.allSettled([...tellers].map((tell) => tell()))])
}
