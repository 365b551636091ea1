import { BookFault } from './book-format.ts'

/** Undefined for faults of the file: then another one will do. */
export const ifSound = <Result>(read: () => Result): Result | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof BookFault) return undefined
    throw error
  }
}
