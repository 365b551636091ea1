import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { type Problem, ProblemNotice } from '../state/problem.tsx'

interface ConfirmProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** The label of the button names the action. */
  readonly action: string
  readonly onConfirm: () => void
  readonly isPending: boolean
  /** It is shown when the action has failed. */
  readonly problem?: Problem | string | undefined
  /** The text says what will be lost. */
  readonly children: ReactNode
}

/** It asks only before what cannot be undone; everything else is done at once and offers an undo. */
export const Confirm = (props: ConfirmProps): ReactNode => {
  const { t } = useTranslation()
  const { title, isOpen, onClose, action, onConfirm, isPending, problem, children } = props
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button color="red" loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      {children}
    </Dialog>
  )
}
