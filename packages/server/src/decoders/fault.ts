import { BookFault, type Fault } from '../formats/book-format.ts'

/** What a stranger's file brings about is told as such; a mistake of ours as what it is. */
export const faultOf = (error: unknown): Fault => {
  if (error instanceof BookFault) return { code: error.code, message: error.message }
  const { message, code = '', name } = error as Error & { code?: string }
  if (name === 'NotAFile') return { code: 'unreadable', message: 'It is not a regular file.' }
  if (/^E[A-Z]+$/.test(code)) return { code: 'unreadable', message: `It cannot be read (${code}).` }
  return { code: 'damaged', message: `It could not be understood (${message}).` }
}
