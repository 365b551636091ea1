import type { RecommendationSource } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Mark } from '../../ui/state/mark.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import styles from './recommendations.module.css'

/** It lists the sources of recommendations, and the progress of each. */
export const SourceList = ({ sources }: { readonly sources: readonly RecommendationSource[] }): ReactNode => {
  const { t } = useTranslation('recommendations')
  return (
    <div className={styles.sources}>
      <RowList label={t('sources')}>
        {sources.map((source) => (
          <SourceRow key={source.pluginId} source={source} />
        ))}
      </RowList>
    </div>
  )
}

const SourceRow = ({ source }: { readonly source: RecommendationSource }): ReactNode => {
  const { t } = useTranslation('recommendations')
  const { ago } = useTimeText()
  const maySeeTasks = useMay('tasks:read')
  const maySeePlugins = useMay('plugins:read')
  const { pluginId, pluginName, generatedAt, taskStatus } = source
  const isBusy = taskStatus === 'running' || taskStatus === 'pending'
  const before = generatedAt === null ? t('nothingYet') : t('shownSince', { ago: ago(generatedAt) })
  const row = { icon: 'plug', title: <bdi>{pluginName}</bdi> } as const
  if (isBusy)
    return (
      <ListRow
        {...row}
        mark={<Mark kind="busy">{t(taskStatus === 'running' ? 'running' : 'waiting')}</Mark>}
        text={before}
        actions={maySeeTasks ? <AppLink to={paths.adminTasks()}>{t('showTasks')}</AppLink> : undefined}
      />
    )
  if (taskStatus !== null)
    return (
      <ListRow
        {...row}
        mark={<Mark kind="warning">{t('failed')}</Mark>}
        text={`${t(taskStatus === 'failed' ? 'failedText' : 'failedTriesAgain')} ${before}`}
        actions={maySeePlugins ? <AppLink to={paths.plugin(pluginId)}>{t('showWhy')}</AppLink> : undefined}
      />
    )
  if (generatedAt === null) return <ListRow {...row} text={before} />
  return (
    <ListRow {...row} mark={<Mark kind="good">{t('fresh')}</Mark>} text={t('freshText', { ago: ago(generatedAt) })} />
  )
}
