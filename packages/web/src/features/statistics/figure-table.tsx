import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from '../../ui/layout/layout.tsx'
import { useFigureText } from './figure-text.ts'
import { amountOf, type Figures, type Summary } from './figures.ts'
import styles from './statistics.module.css'

export interface FigureRow {
  readonly key: string
  readonly name: string
  readonly figures: Figures
}

interface FigureTableProps {
  /** It names what the row is about: a day, a series. */
  readonly of: string
  readonly caption: string
  readonly rows: readonly FigureRow[]
  readonly summary: Pick<Summary, 'sessionsWithoutDuration' | 'sessionsWithoutPages'>
  /** What the picture's patterns mean: it stands at the foot of the figure, before its table. */
  readonly before?: ReactNode
}

/** The table stands behind every picture: the same figures, measured and estimated apart. */
export const FigureTable = ({ of, caption, rows, summary, before }: FigureTableProps): ReactNode => {
  const { t } = useTranslation('statistics')
  return (
    <Row gap={4} rowGap={1} align="start" justify="between" wrap className={styles.foot}>
      {before}
      <details className={styles.details}>
        <Row as="summary" inline>
          {t('asTable')}
        </Row>
        {/* Keys scroll it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className={styles.scroll} tabIndex={0} role="region" aria-label={caption}>
          <table className={styles.table}>
            <caption>{caption}</caption>
            <thead>
              <tr>
                <th scope="col">{of}</th>
                <th scope="col">{t('column.measured')}</th>
                <th scope="col">{t('column.estimated')}</th>
                <th scope="col">{t('measure.pages')}</th>
                <th scope="col">{t('column.sessions')}</th>
                <th scope="col">{t('measure.completions')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, ...row }) => (
                <FigureLine key={key} {...row} summary={summary} />
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Row>
  )
}

const FigureLine = ({
  name,
  figures,
  summary,
}: Omit<FigureRow, 'key'> & Pick<FigureTableProps, 'summary'>): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const time = amountOf(figures, 'time', summary)
  const pages = amountOf(figures, 'pages', summary)
  return (
    <tr>
      <th scope="row" dir="auto">
        {name}
      </th>
      <td>{time.isUnknown ? t('unknown') : text.time(time.sure)}</td>
      <td>{time.isUnknown ? t('unknown') : text.time(time.estimated)}</td>
      <td>{text.amount('pages', pages)}</td>
      <td>{text.number(figures.sessions)}</td>
      <td>{text.number(figures.booksFinished)}</td>
    </tr>
  )
}
