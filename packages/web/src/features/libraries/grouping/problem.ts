import { ApiProblem } from '../../../api/call.ts'

/** The server refuses one thing at a time, and says which. */
export const isAbout = (field: 'levels' | 'pattern', error: unknown): boolean =>
  error instanceof ApiProblem && error.details.some(({ path }) => path.startsWith(`/grouping/config/${field}`))

export const isAboutField = (error: unknown): boolean => isAbout('levels', error) || isAbout('pattern', error)
