import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../../text/problem-text.ts'
import { Row } from '../../ui/layout/layout.tsx'
import styles from './save-bar.module.css'
import type { Editor } from './use-editor.ts'

/** The bar stands at the lower edge as long as something is typed and not saved. */
export const SaveBar = ({ editor }: { readonly editor: Editor }): ReactNode => {
  const { t } = useTranslation('editing')
  const textOf = useProblemText()
  const { draft, conflicts, wrong, problem, isSaving } = editor
  const count = Object.keys(draft).length
  if (count === 0) return null
  const [first] = [...conflicts, ...wrong]
  const text =
    conflicts.length > 0
      ? t('firstResolve', { count: conflicts.length })
      : wrong.length > 0
        ? t('firstMend')
        : problem
          ? textOf(problem)
          : t('changes', { count })
  return (
    <Row gap={2} wrap touch className={styles.bar} role="region" aria-label={t('unsavedChanges')}>
      <span className={styles.text} role="status">
        {text}
      </span>
      {first === undefined ? null : (
        <Button variant="default" onClick={() => show(first)}>
          {t('show')}
        </Button>
      )}
      <Button variant="default" onClick={editor.discard}>
        {t('discard')}
      </Button>
      <Button
        type="submit"
        form="metadata"
        loading={isSaving}
        disabled={conflicts.length > 0 || wrong.length > 0}
        aria-keyshortcuts="Control+S Meta+S"
      >
        {t('save')}
      </Button>
    </Row>
  )
}

/** It brings what is in the way into view, and the focus into it. */
const show = (field: string): void => {
  const row = document.getElementById(`field-${field}`)
  row?.scrollIntoView({ block: 'center' })
  row?.querySelector<HTMLElement>('input, textarea, select')?.focus({ preventScroll: true })
}
