import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './pager.module.css'

interface PagerProps {
  readonly page: number
  readonly pages: number
  readonly onGo: (page: number) => void
}

/** From page to page of a list; nothing where there is only one. */
export const Pager = ({ page, pages, onGo }: PagerProps): ReactNode => {
  const { t } = useTranslation()
  if (pages <= 1) return null
  return (
    <nav className={styles.pager} aria-label={t('pager.label')}>
      <Button variant="default" disabled={page <= 1} onClick={() => onGo(page - 1)}>
        {t('pager.previous')}
      </Button>
      <span>{t('pager.of', { page, pages })}</span>
      <Button variant="default" disabled={page >= pages} onClick={() => onGo(page + 1)}>
        {t('pager.next')}
      </Button>
    </nav>
  )
}
