import { type LibraryDto, readScanStatus, type ScanStatus } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useStepText } from '../../scans/scan-line.tsx'
import { type ScanStep, stepOf } from '../../scans/scan-steps.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Meter } from '../../ui/state/meter.tsx'
import { useScan } from '../../scans/use-scan.ts'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { PartialScan } from './partial-scan.tsx'
import styles from './scan-panel.module.css'
import { useScanText } from './scan-text.ts'

interface ScanPanelProps {
  readonly library: LibraryDto
}

/** It shows the present or last scan of a library, and can start one. */
export const ScanPanel = ({ library }: ScanPanelProps): ReactNode => {
  const scan = useRead(readScanStatus, { params: { id: library.id } })
  const step = stepOf(scan, library.bookCount)
  // While books are being read another scan may begin.
  const isScanning = step !== undefined && step.name !== 'reading'
  return (
    <Row gap={4} wrap box pad={4} className={styles.panel}>
      <Stack gap={1} className={styles.words}>
        {step === undefined || scan === undefined ? (
          <Resting scan={scan} />
        ) : (
          <Working library={library} scan={scan} step={step} />
        )}
      </Stack>
      {isScanning ? <Cancel library={library} /> : <Start library={library} />}
    </Row>
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
  return (
    <>
      <p className={styles.now}>{words(step)}</p>
      <Meter label={library.name} done={step.done} total={step.total} />
      <Text quiet>{step.name === 'reading' ? t('readingText') : figures(scan)}</Text>
    </>
  )
}

const Resting = ({ scan }: { readonly scan: ScanStatus | undefined }): ReactNode => {
  const { t } = useTranslation('scans')
  const { ago } = useTimeText()
  const { outcome, figures } = useScanText()
  const at = scan?.completedAt ?? scan?.startedAt ?? null
  return (
    <>
      <p className={styles.now}>{at === null ? t('neverScanned') : t('lastScan', { when: ago(at) })}</p>
      <Text quiet>{scan === undefined ? t('neverScannedText') : `${outcome(scan)} ${figures(scan)}`}</Text>
    </>
  )
}

const Cancel = ({ library }: ScanPanelProps): ReactNode => {
  const { t } = useTranslation('scans')
  const { cancel, isBusy } = useScan(library)
  return (
    <Button variant="default" loading={isBusy} leftSection={<Icon name="stop" size="small" />} onClick={cancel}>
      {t('cancel')}
    </Button>
  )
}

const Start = ({ library }: ScanPanelProps): ReactNode => {
  const { t } = useTranslation('scans')
  const { start, isBusy } = useScan(library)
  return (
    <Row gap={2} align="stretch" wrap className={styles.actions}>
      <Button loading={isBusy} onClick={() => start('changes')}>
        {t('scanChanges')}
      </Button>
      <PartialScan library={library} />
      <Button variant="default" disabled={isBusy} onClick={() => start('full')}>
        {t('scanFull')}
      </Button>
    </Row>
  )
}
