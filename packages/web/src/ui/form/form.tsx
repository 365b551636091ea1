import type { FormEvent, ReactNode } from 'react'
import { type Space, Stack } from '../layout/layout.tsx'
import { Notice } from '../state/state.tsx'

interface FormProps {
  readonly onSubmit: (event: FormEvent) => void
  /** It is a sentence that says why saving failed. */
  readonly problem?: string | undefined
  readonly gap?: Space
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Fields below each other, and above them what went wrong. Leave out `noValidate`: the browser knows what is required. */
export const Form = ({ onSubmit, problem, gap = 4, className, children }: FormProps): ReactNode => (
  <Stack as="form" gap={gap} className={className} onSubmit={onSubmit}>
    {problem === undefined ? null : <Notice kind="danger">{problem}</Notice>}
    {children}
  </Stack>
)
