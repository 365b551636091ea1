import { type LibraryDto, readScanStatus } from '@carrel/api'
import { useInViewport } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../api/queries.ts'
import styles from './scan-line.module.css'
import { type ScanStep, stepOf } from './scan-steps.ts'
import { useTimeText } from '../text/time-text.ts'
import { Meter } from '../ui/state/meter.tsx'

interface ScanLineProps {
  readonly library: Pick<LibraryDto, 'id' | 'name' | 'bookCount'>
  /** These stand there while no scan runs. */
  readonly children: ReactNode
}

/** It shows the progress of the scan of a library, while there is one; it takes no more room than its usual content. */
export const ScanLine = ({ library, children }: ScanLineProps): ReactNode => {
  // In a long list of libraries only those in view are read.
  const { ref, inViewport } = useInViewport<HTMLSpanElement>()
  const { data } = useLater(readScanStatus, { params: { id: library.id } }, { enabled: inViewport })
  const step = stepOf(data, library.bookCount)
  const words = useStepText()
  return (
    <span ref={ref} className={styles.line}>
      {step === undefined ? children : words(step)}
      {step === undefined ? null : (
        <span className={styles.meter}>
          <Meter label={library.name} done={step.done} total={step.total} />
        </span>
      )}
    </span>
  )
}

/** It puts the present step of a scan into words. */
export const useStepText = (): ((step: ScanStep) => string) => {
  const { t, i18n } = useTranslation()
  const { span } = useTimeText()
  const number = (value: number): string => new Intl.NumberFormat(i18n.resolvedLanguage).format(value)
  return ({ name, done, total = 0, secondsLeft }) => {
    const progressText = t(`scan.${name}`, { done: number(done), total: number(total), left: number(total - done) })
    return secondsLeft === null || secondsLeft < 2
      ? progressText
      : `${progressText} · ${t('scan.left', { time: span(secondsLeft * 1000) })}`
  }
}
