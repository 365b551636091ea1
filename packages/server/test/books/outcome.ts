import { BookFault, type FaultCode } from '../../src/formats/book-format.ts'

/** With which fault it ends, or that it ends well; any other error goes on. */
export const faultOf = (work: () => unknown): FaultCode | 'none' => {
  try {
    work()
    return 'none'
  } catch (error) {
    return codeOf(error)
  }
}

export const faultOfAsync = async (work: () => Promise<unknown>): Promise<FaultCode | 'none'> => {
  try {
    await work()
    return 'none'
  } catch (error) {
    return codeOf(error)
  }
}

const codeOf = (error: unknown): FaultCode => {
  if (error instanceof BookFault) return error.code
  throw error
}
