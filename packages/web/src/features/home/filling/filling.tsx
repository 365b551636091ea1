import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useItemText } from '../../../lists/item/item-text.ts'
import { useTimeText } from '../../../text/time-text.ts'
import { Row, Shelf, Stack } from '../../../ui/layout/layout.tsx'
import { Meter } from '../../../ui/state/meter.tsx'
import styles from './filling.module.css'
import { type Filling, useFilling } from './use-filling.ts'

/** `212 of 300 books read in · 2 min left`, in the room that is between the head and the first shelf anyway. */
export const FillingLine = (): ReactNode => {
  const filling = useFilling()
  const words = useFillingText()
  return (
    <div className={styles.place} role="status">
      {filling === undefined ? null : (
        <Row gap={3} className={styles.line}>
          <span className={styles.words}>{words(filling)}</span>
          <span className={styles.meter}>
            <Meter label={words(filling)} done={filling.done} total={filling.total} />
          </span>
        </Row>
      )}
    </div>
  )
}

const useFillingText = (): ((filling: Filling) => string) => {
  const { t } = useTranslation('home')
  const text = useItemText()
  const { span } = useTimeText()
  return ({ done, total, msLeft }) => {
    if (total === undefined) return t('looking')
    const read = t('readIn', { done: text.number(done), count: total })
    return msLeft === undefined ? read : `${read} · ${t('left', { time: span(msLeft) })}`
  }
}

const waiting = Array.from({ length: 8 }, (_, index) => index)

/** Nothing has come yet, but it is on its way: the first shelf has its place. */
export const FillingShelf = ({ filling }: { readonly filling: Filling }): ReactNode => {
  const { t } = useTranslation('home')
  const words = useFillingText()
  return (
    <Stack gap={3}>
      <p className={styles.soon}>{t('fillingSoon')}</p>
      <Row gap={3} className={styles.line} role="status">
        <span className={styles.words}>{words(filling)}</span>
        <span className={styles.meter}>
          <Meter label={words(filling)} done={filling.done} total={filling.total} />
        </span>
      </Row>
      <Shelf gap={4} className={styles.covers} aria-hidden="true">
        {waiting.map((each) => (
          <div key={each} className={styles.cover} />
        ))}
      </Shelf>
    </Stack>
  )
}
