import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from '../../ui/layout/layout.tsx'

interface SaveButtonsProps {
  /** Nothing has been changed yet. */
  readonly isSame: boolean
  readonly isPending: boolean
  readonly onDiscard: () => void
}

/** The buttons end a form that edits something existing. */
export const SaveButtons = ({ isSame, isPending, onDiscard }: SaveButtonsProps): ReactNode => {
  const { t } = useTranslation('users')
  return (
    <Row gap={2} wrap touch>
      <Button type="submit" loading={isPending} disabled={isSame}>
        {t('save')}
      </Button>
      {isSame ? null : (
        <Button variant="default" onClick={onDiscard}>
          {t('discard')}
        </Button>
      )}
    </Row>
  )
}
