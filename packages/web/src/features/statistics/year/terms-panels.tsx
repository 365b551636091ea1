import type { ReadingYear, TermOfYear } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../../navigation/link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { Row, Stack, Text } from '../../../ui/layout/layout.tsx'
import { useFigureText } from '../figure-text.ts'
import { amountOf, type Summary } from '../figures.ts'
import { RankBar } from '../rank-bar.tsx'
import { Panel } from './panel.tsx'
import styles from './year.module.css'

interface YearProps {
  readonly year: ReadingYear
}

export const GenresPanel = ({ year: { genres, summary } }: YearProps): ReactNode => {
  const { t } = useTranslation('statistics')
  if (genres.length === 0) return null
  return (
    <Panel title={t('year.genres')} text={t('year.genresText')}>
      <Terms label={t('year.genres')} terms={genres} summary={summary} addressOf={paths.genre} />
    </Panel>
  )
}

export const PeoplePanel = ({ year: { people, summary } }: YearProps): ReactNode => {
  const { t } = useTranslation('statistics')
  if (people.length === 0) return null
  return (
    <Panel title={t('year.people')} text={t('year.peopleText')}>
      <Terms label={t('year.people')} terms={people} summary={summary} addressOf={paths.person} />
    </Panel>
  )
}

interface TermsProps {
  readonly label: string
  readonly terms: readonly TermOfYear[]
  readonly summary: Summary
  readonly addressOf: (name: string) => string
}

const Terms = ({ label, terms, summary, addressOf }: TermsProps): ReactNode => {
  const text = useFigureText()
  const largest = Math.max(1, ...terms.map(({ duration }) => duration.totalMs))
  return (
    <Stack as="ol" gap={3} aria-label={label}>
      {terms.map(({ name, ...figures }) => {
        const amount = amountOf(figures, 'time', summary)
        return (
          <li key={name}>
            <Row gap={3} rowGap={0} align="baseline" justify="between" wrap>
              <Text as="span" lines={1} className={styles.name} dir="auto">
                <AppLink to={addressOf(name)} className={styles.term}>
                  {name}
                </AppLink>
              </Text>
              <Text as="span" quiet size={13}>
                {text.amount('time', amount)}
              </Text>
            </Row>
            <RankBar amount={amount} largest={largest} />
          </li>
        )
      })}
    </Stack>
  )
}
