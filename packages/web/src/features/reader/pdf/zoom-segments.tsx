import type { ReaderSettings } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageLayout } from '../../../reader/page-layout.ts'
import { Segments } from '../sheet/fields.tsx'
import styles from './zoom-segments.module.css'

interface ZoomSegmentsProps {
  readonly layout: PageLayout
  readonly onChoose: (fit: Required<ReaderSettings>['fit']) => void
}

/** How large a document is shown, for this document alone: comics are read otherwise. */
export const ZoomSegments = ({ layout: { fit }, onChoose }: ZoomSegmentsProps): ReactNode => {
  const { t } = useTranslation('reader')
  return (
    <div className={styles.zoom}>
      <Segments
        label={t('settings.fit')}
        value={fit === 'screen' ? 'smart' : fit}
        onChoose={onChoose}
        choices={[
          { value: 'width', label: t('fit.width') },
          { value: 'smart', label: t('fit.smart') },
          { value: 'original', label: t('settings.percent', { count: 100 }) },
        ]}
      />
    </div>
  )
}
