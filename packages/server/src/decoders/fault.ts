import { BookFault, type Fault } from '../formats/book-format.ts'

/** An error caused by a stranger's file is reported as a fault of that file; an error of ours as a bug. */
export const faultOf = (error: unknown): Fault => {
  if (error instanceof BookFault)
    return {
      code: error.code,
      message: error.message,
      ...(error.code === 'limit' && error.wasCostly && { wasCostly: true }),
    }
  const { message, code = '', name } = error as Error & { code?: string }
  if (name === 'NotAFile') return { code: 'unreadable', message: 'It is not a regular file.' }
  if (/^E[A-Z]+$/.test(code)) return { code: 'unreadable', message: `It cannot be read (${code}).` }
  return { code: 'damaged', message: `It could not be understood (${message}).` }
}
