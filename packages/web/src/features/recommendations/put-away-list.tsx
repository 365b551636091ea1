import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { usePutAway, usePuttingAway } from './put-away.ts'

/** It lists recommendations dismissed since the app was opened, and can restore them. */
export const PutAwayList = (): ReactNode => {
  const { t } = useTranslation('recommendations')
  const putAway = usePutAway()
  const { bringBack } = usePuttingAway()
  if (putAway.length === 0) return null
  return (
    <Section title={t('putAwayTitle')} text={t('putAwayText')}>
      <RowList label={t('putAwayTitle')}>
        {putAway.map((each) => (
          <ListRow
            key={each.externalId}
            title={<bdi>{each.title}</bdi>}
            actions={
              <Button
                variant="default"
                size="xs"
                aria-label={t('bringBackOf', { title: each.title })}
                onClick={() => bringBack(each)}
              >
                {t('bringBack')}
              </Button>
            }
          />
        ))}
      </RowList>
    </Section>
  )
}
