import type { FormEvent, ReactNode } from 'react'
import styles from './form.module.css'
import { Notice } from './state.tsx'

interface FormProps {
  readonly onSubmit: (event: FormEvent) => void
  /** It is a sentence that says why saving failed. */
  readonly problem?: string | undefined
  /** A class of the caller's own replaces the usual layout, in which fields stand below each other. */
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
