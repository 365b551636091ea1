import { readPluginMetrics } from '@carrel/api'
import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Section } from '../../ui/layout/page.tsx'
import styles from './plugins.module.css'

/** The figures count requests, their success, and their duration. */
export const Figures = ({ id }: { readonly id: string }): ReactNode => {
  const { t, i18n } = useTranslation('plugins')
  const { span } = useTimeText()
  const { data } = useLater(readPluginMetrics, {})
  const figures = data?.plugins.find(({ pluginId }) => pluginId === id)
  if (figures === undefined) return null
  const number = new Intl.NumberFormat(i18n.resolvedLanguage)
  const rows = Object.values(figures.byMethod ?? {})
  const { rateLimitRejections: rejections } = figures
  const turnedAway =
    rejections === 0 ? '' : ` ${t('figures.turnedAway', { count: rejections, number: number.format(rejections) })}`
  return (
    <Section title={t('figures.title')} text={t(rows.length === 0 ? 'figures.none' : 'figures.text') + turnedAway}>
      {rows.length === 0 ? null : (
        <Box className={styles.wide ?? ''} role="region" aria-label={t('figures.title')} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t('figures.method')}</th>
                <th scope="col">{t('figures.asked')}</th>
                <th scope="col">{t('figures.failed')}</th>
                <th scope="col">{t('figures.usual')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ method, requestsTotal, requestsFailed, avgDurationMs }) => (
                <tr key={method}>
                  <th scope="row">
                    <code>{method}</code>
                  </th>
                  <td>{number.format(requestsTotal)}</td>
                  <td>{number.format(requestsFailed)}</td>
                  <td>{span(Math.round(avgDurationMs))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Box>
      )}
    </Section>
  )
}
