import { type LibraryDto, readScanStatus, type ScanStatus } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useStepText } from '../../scan-line.tsx'
import { type ScanStep, stepOf } from '../../scan-steps.ts'
import { useTimeText } from '../../time-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Meter } from '../../ui/meter.tsx'
import { useScan } from '../../use-scan.ts'
import { PartialScan } from './partial-scan.tsx'
import styles from './scan-panel.module.css'
import { useScanText } from './scan-text.ts'

interface ScanPanelProps {
  readonly library: LibraryDto
}

/** What a library is doing, or did last, and what it can be told to do. */
export const ScanPanel = ({ library }: ScanPanelProps): ReactNode => {
  const scan = useRead(readScanStatus, { params: { id: library.id } })
  const step = stepOf(scan, library.bookCount)
  return (
    <div className={styles.panel}>
      {step === undefined || scan === undefined ? (
        <Resting library={library} scan={scan} />
      ) : (
        <Working library={library} scan={scan} step={step} />
      )}
    </div>
  )
}

interface WorkingProps extends ScanPanelProps {
  readonly scan: ScanStatus
  readonly step: ScanStep
}

const Working = ({ library, scan, step }: WorkingProps): ReactNode => {
  const { t } = useTranslation('scans')
  const { figures } = useScanText()
  const words = useStepText()
  const { cancel, isBusy } = useScan(library)
  return (
    <>
      <div className={styles.words}>
        <p className={styles.now}>{words(step)}</p>
        <Meter label={library.name} done={step.done} total={step.total} />
        <p className={styles.hint}>{step.name === 'reading' ? t('readingText') : figures(scan)}</p>
      </div>
      {step.name === 'reading' ? null : (
        <Button variant="default" loading={isBusy} leftSection={<Icon name="stop" size="small" />} onClick={cancel}>
          {t('cancel')}
        </Button>
      )}
    </>
  )
}

const Resting = ({ library, scan }: ScanPanelProps & { readonly scan: ScanStatus | undefined }): ReactNode => {
  const { t } = useTranslation('scans')
  const { ago } = useTimeText()
  const { outcome, figures } = useScanText()
  const { start, isBusy } = useScan(library)
  const at = scan?.completedAt ?? scan?.startedAt ?? null
  return (
    <>
      <div className={styles.words}>
        <p className={styles.now}>{at === null ? t('neverScanned') : t('lastScan', { when: ago(at) })}</p>
        <p className={styles.hint}>{scan === undefined ? t('neverScannedText') : `${outcome(scan)} ${figures(scan)}`}</p>
      </div>
      <div className={styles.actions}>
        <Button loading={isBusy} onClick={() => start('changes')}>
          {t('scanChanges')}
        </Button>
        <PartialScan library={library} />
        <Button variant="default" disabled={isBusy} onClick={() => start('full')}>
          {t('scanFull')}
        </Button>
      </div>
    </>
  )
}
