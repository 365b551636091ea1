import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblem } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { Notice } from '../../ui/state/state.tsx'

interface WindowProps {
  readonly title: string
  /** The label of the button names what it does. */
  readonly action: string
  readonly isReady: boolean
  readonly change: { readonly isPending: boolean; readonly error: Error | null }
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** It asks what goes where, and says what comes of it beside the button that does it. */
export const Window = (props: WindowProps): ReactNode => {
  const { title, action, isReady, change, onSubmit, onClose, children } = props
  const { t } = useTranslation('moves')
  const problemOf = useProblem()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isReady) onSubmit()
  }
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form onSubmit={submit} problem={problemOf(change.error)}>
        {children}
        <Row gap={2} justify="end" wrap touch="wide">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" disabled={!isReady} loading={change.isPending}>
            {action}
          </Button>
        </Row>
      </Form>
    </Dialog>
  )
}

/** Nothing goes from one library into another. */
export const OneLibraryOnly = ({ title, onClose }: Pick<WindowProps, 'title' | 'onClose'>): ReactNode => {
  const { t } = useTranslation('moves')
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Notice kind="info">{t('oneLibrary')}</Notice>
    </Dialog>
  )
}

/** Once it is being done, nobody wants to know any more what it would do. */
export const isAsking = ({
  isPending,
  isSuccess,
}: {
  readonly isPending: boolean
  readonly isSuccess: boolean
}): boolean => !isPending && !isSuccess
