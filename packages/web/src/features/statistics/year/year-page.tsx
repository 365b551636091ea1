import { readReadingCoverage, readReadingYear } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../api/queries.ts'
import { AppLink } from '../../../navigation/link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { useMe } from '../../../session/me.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Columns, Row } from '../../../ui/layout/layout.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { EmptyState } from '../../../ui/state/state.tsx'
import { dayIn, yearOf } from '../days.ts'
import { Gaps } from '../summary-tiles.tsx'
import { BooksOfYear } from './books-of-year.tsx'
import { MonthsPanel } from './months-panel.tsx'
import { SeriesPanel } from './series-panel.tsx'
import { ShareDialog } from './share/share-dialog.tsx'
import { GenresPanel, PeoplePanel } from './terms-panels.tsx'
import { CountPanels, TimePanel } from './time-panel.tsx'
import styles from './year.module.css'

const route = getRouteApi('/signed-in/framed/statistics/$year')

/** What somebody has read in a year, told one after another, and as a picture of it to show around. */
export const YearPage = (): ReactNode => {
  const { t } = useTranslation('statistics')
  const number = Number(route.useParams().year)
  const year = useRead(readReadingYear, { query: { year: number } })
  const [isSharing, setSharing] = useState(false)
  const { sessions, booksFinished } = year.summary
  const isEmpty = sessions === 0 && booksFinished === 0
  return (
    <Page
      title={t('year.title', { year: String(number) })}
      subtitle={t('year.subtitle')}
      width="wide"
      actions={
        <>
          <YearLinks year={number} />
          {isEmpty ? null : (
            <Button
              radius="xl"
              leftSection={<Icon name="upload" size="small" />}
              aria-haspopup="dialog"
              onClick={() => setSharing(true)}
            >
              {t('share.open')}
            </Button>
          )}
        </>
      }
    >
      {isEmpty ? (
        <EmptyState
          icon="chart"
          title={t('year.none', { year: String(number) })}
          text={t('year.noneText')}
          action={
            <Button component={AppLink} to={paths.statistics()} radius="xl">
              {t('year.toStatistics')}
            </Button>
          }
        />
      ) : (
        <>
          <TimePanel year={year} />
          <CountPanels year={year} />
          <MonthsPanel year={year} />
          <SeriesPanel year={year} />
          <Columns gap={4} align="start" className={styles.two}>
            <GenresPanel year={year} />
            <PeoplePanel year={year} />
          </Columns>
          <BooksOfYear year={year} />
          <Gaps summary={year.summary} />
          <ShareDialog key={number} year={year} isOpen={isSharing} onClose={() => setSharing(false)} />
        </>
      )}
    </Page>
  )
}

/** Only years between the first of their reading and this one have something to tell. */
const YearLinks = ({ year }: { readonly year: number }): ReactNode => {
  const { t } = useTranslation('statistics')
  const { timeZone } = useMe()
  const { firstReadAt } = useRead(readReadingCoverage, {})
  const [now] = useState(() => new Date())
  const last = yearOf(dayIn(timeZone, now))
  const first = firstReadAt === null ? last : yearOf(dayIn(timeZone, new Date(firstReadAt)))
  const beside = [
    ...(year > first ? [{ to: year - 1, icon: 'back', label: t('yearBefore') } as const] : []),
    ...(year < last ? [{ to: year + 1, icon: 'onwards', label: t('yearAfter') } as const] : []),
  ]
  if (beside.length === 0) return null
  return (
    <Row gap={2} touch className={styles.years}>
      {beside.map(({ to, icon, label }) => (
        <Button
          key={icon}
          component={AppLink}
          to={paths.yearInReview(to)}
          variant="default"
          radius="xl"
          aria-label={`${label}: ${to}`}
          {...(icon === 'back'
            ? { leftSection: <Icon name="back" size="small" /> }
            : { rightSection: <Icon name="onwards" size="small" /> })}
        >
          {to}
        </Button>
      ))}
    </Row>
  )
}
