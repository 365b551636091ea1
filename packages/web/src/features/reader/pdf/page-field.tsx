import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from '../../../ui/layout/layout.tsx'
import styles from './page-field.module.css'

interface PageFieldProps {
  /** The pages in view, as one writes them. */
  readonly shown: string
  readonly pageCount: number
  readonly onGo: (page: number) => void
}

/** Where one is, as a field: who knows the number of a page writes it there. */
export const PageField = ({ shown, pageCount, onGo }: PageFieldProps): ReactNode => {
  const { t } = useTranslation('reader')
  const [written, setWritten] = useState<string>()
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    const page = Number.parseInt(event.currentTarget.value, 10)
    if (event.key === 'Enter' && Number.isFinite(page)) onGo(Math.min(pageCount, Math.max(1, page)))
    event.stopPropagation()
    // The arrow keys turn pages again.
    event.currentTarget.blur()
  }
  const digits = String(pageCount).length
  return (
    <Row gap={2} className={styles.place} data-testid="page-field">
      <input
        className={styles.field}
        style={{ width: `calc(${digits * 2 + 1}ch + 1rem)` }}
        inputMode="numeric"
        aria-label={t('slider')}
        value={written ?? shown}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setWritten(currentTarget.value)}
        onBlur={() => setWritten(undefined)}
        onKeyDown={onKeyDown}
      />
      {t('ofPages', { count: pageCount })}
    </Row>
  )
}
