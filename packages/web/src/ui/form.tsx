import type { FormEvent, ReactNode } from 'react'
import styles from './form.module.css'
import { Notice } from './state.tsx'

interface FormProps {
  readonly onSubmit: (event: FormEvent) => void
  /** What went wrong with what was sent, as a sentence. */
  readonly problem?: string | undefined
  /** In place of fields below each other: a class of one's own. */
  readonly layout?: string | undefined
  readonly children: ReactNode
}

/** Fields below each other, and above them what went wrong. Leave out `noValidate`: the browser knows what is required. */
export const Form = ({ onSubmit, problem, layout = styles.form, children }: FormProps): ReactNode => (
  <form className={layout} onSubmit={onSubmit}>
    {problem === undefined ? null : <Notice kind="danger">{problem}</Notice>}
    {children}
  </form>
)
