import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { isBegun } from './hits.ts'
import type { Line } from './lines.ts'
import styles from './palette.module.css'

interface PaletteFootProps {
  readonly q: string
  readonly active: Line | undefined
  /** It is told politely; undefined while more is coming. */
  readonly count: number | undefined
  readonly onAll: () => void
}

/** It says what the keys do with the active line, and leads to all hits. */
export const PaletteFoot = ({ q, active, count, onAll }: PaletteFootProps): ReactNode => {
  const { t } = useTranslation('palette')
  const hit = active?.hit
  const enter = hit?.kind === 'book' ? (isBegun(hit) ? 'readOn' : 'read') : active?.command?.run ? 'do' : 'open'
  return (
    <Row gap={4} className={styles.foot}>
      <Row as="span" gap={4} grow aria-hidden="true" className={styles.keys}>
        <Keys keys={['up', 'down']} word={t('keys.choose')} />
        {active === undefined ? null : <Keys keys={['Enter']} word={t(`keys.${enter}`)} />}
        {hit?.kind === 'book' ? <Keys keys={['Ctrl', 'Enter']} word={t('keys.about')} /> : null}
        {hit === undefined ? null : <Keys keys={['right']} word={t('keys.actions')} />}
      </Row>
      {q === '' ? null : (
        <button type="button" className={styles.all} onClick={onAll}>
          {t('all', { q })}
        </button>
      )}
      {/* The page behind is silent while this is open: it has a voice of its own. */}
      <VisuallyHidden role="status" aria-live="polite">
        {count === undefined || q === '' ? '' : t('found', { count })}
      </VisuallyHidden>
    </Row>
  )
}

type Key = 'up' | 'down' | 'right' | 'Enter' | 'Ctrl'

const Keys = ({ keys, word }: { readonly keys: readonly Key[]; readonly word: string }): ReactNode => (
  <Row as="span" gap={1}>
    {keys.map((key) => (
      <kbd key={key} className={styles.key}>
        {key === 'Enter' || key === 'Ctrl' ? key : <Icon name={key} size="small" />}
      </kbd>
    ))}
    <span>{word}</span>
  </Row>
)
