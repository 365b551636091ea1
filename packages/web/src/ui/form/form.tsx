import type { FormEvent, ReactNode } from 'react'
import { type Space, Stack } from '../layout/layout.tsx'
import { type Problem, ProblemNotice } from '../state/problem.tsx'

interface FormProps {
  readonly onSubmit: (event: FormEvent) => void
  /** It says why saving failed. */
  readonly problem?: Problem | string | undefined
  readonly gap?: Space
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Fields below each other, and above them what went wrong. Leave out `noValidate`: the browser knows what is required. */
export const Form = ({ onSubmit, problem, gap = 4, className, children }: FormProps): ReactNode => (
  <Stack as="form" gap={gap} className={className} onSubmit={onSubmit}>
    {problem === undefined ? null : <ProblemNotice problem={problem} />}
    {children}
  </Stack>
)
