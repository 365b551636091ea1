import { ApiProblem } from '../../../api/call.ts'

/** What the server says about a field of the grouping, for that field. */
export const problemOf = (field: 'levels' | 'pattern', error: unknown): string | undefined =>
  error instanceof ApiProblem
    ? error.details.find(({ path }) => path.startsWith(`/grouping/config/${field}`))?.message
    : undefined

export const isAboutField = (error: unknown): boolean =>
  problemOf('levels', error) !== undefined || problemOf('pattern', error) !== undefined
