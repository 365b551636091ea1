import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from './layout/layout.tsx'
import styles from './pager.module.css'

interface PagerProps {
  /** A screen reader says what is being paged. */
  readonly label: string
  readonly page: number
  readonly pages: number
  readonly onGo: (page: number) => void
}

/** The way through the pages of a list that has several. */
export const Pager = ({ label, page, pages, onGo }: PagerProps): ReactNode => {
  const { t } = useTranslation()
  // A page that has emptied itself leads back to the last there is.
  if (Math.max(page, pages) <= 1) return null
  return (
    <Row as="nav" gap={4} justify="center" className={styles.pager} aria-label={label}>
      <Button variant="default" disabled={page <= 1} onClick={() => onGo(Math.max(1, Math.min(page - 1, pages)))}>
        {t('pager.previous')}
      </Button>
      {page > pages ? null : <span>{t('pager.pageOf', { page, pages })}</span>}
      <Button variant="default" disabled={page >= pages} onClick={() => onGo(page + 1)}>
        {t('pager.next')}
      </Button>
    </Row>
  )
}
