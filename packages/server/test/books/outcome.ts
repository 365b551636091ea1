import { BookFault, type FaultCode } from '../../src/formats/book-format.ts'

/** It returns the code of the fault, or `none`; any other error is thrown on. */
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
