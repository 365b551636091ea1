import type { ReactNode } from 'react'
import { ServerWords } from './server-words.tsx'
import { Notice } from './state.tsx'

/** A sentence says what went wrong; what the server said stands below it, where that says more. */
export interface Problem {
  readonly text: string
  readonly detail?: string | undefined
}

export const ProblemNotice = ({ problem }: { readonly problem: Problem | string }): ReactNode => {
  const { text, detail }: Problem = typeof problem === 'string' ? { text: problem } : problem
  return (
    <Notice kind="danger">
      {text}
      {detail === undefined ? null : <ServerWords text={detail} />}
    </Notice>
  )
}
