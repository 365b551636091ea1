import { readReadingPace } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { Grid, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { useFigureText } from './figure-text.ts'
import styles from './statistics.module.css'

/** The pace comes from measured reading alone. */
export const PaceSection = (): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const { data } = useLater(readReadingPace, {})
  return (
    <Section title={t('pace')} text={t('paceText')}>
      {data === undefined ? null : data.formats.length === 0 ? (
        <Text quiet>{t('noPace')}</Text>
      ) : (
        <Grid as="dl" gap={3} stretch className={styles.tiles}>
          {data.formats.map(({ format, pagesPerHour, pages, measuredMs }) => (
            <div key={format} className={styles.tile}>
              <dt>{format.toUpperCase()}</dt>
              <dd>
                <span className={styles.value}>
                  {t('pagesPerHour', { value: text.number(Math.round(pagesPerHour)) })}
                </span>
                <span className={styles.hint}>{t('paceFrom', { count: pages, time: text.time(measuredMs) })}</span>
              </dd>
            </div>
          ))}
        </Grid>
      )}
    </Section>
  )
}
