import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from '../../../ui/layout/layout.tsx'
import type { AdvancedSearch } from './search-of-page.ts'

interface PagesProps {
  readonly page: number
  readonly pages: number
  readonly search: AdvancedSearch
}

export const Pages = ({ page, pages, search }: PagesProps): ReactNode => {
  const { t } = useTranslation('search')
  const navigate = useNavigate()
  if (pages <= 1) return null
  const go = (to: number): void =>
    void navigate({
      to: '/search/advanced',
      search: { ...search, page: to === 1 ? undefined : to } as AdvancedSearch,
      state: true,
    })
  return (
    <Row as="nav" gap={4} justify="center" aria-label={t('advanced.pages')}>
      <Button variant="default" disabled={page <= 1} onClick={() => go(page - 1)}>
        {t('advanced.previous')}
      </Button>
      <span>{t('advanced.pageOf', { page, pages })}</span>
      <Button variant="default" disabled={page >= pages} onClick={() => go(page + 1)}>
        {t('advanced.next')}
      </Button>
    </Row>
  )
}
