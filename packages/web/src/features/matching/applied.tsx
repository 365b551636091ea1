import type { MetadataApplyResponse, PluginAction } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { useFieldText } from '../../metadata/value-text.ts'
import { paths } from '../../navigation/paths.ts'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import type { Previewed } from './asking.ts'
import type { Matchable } from './matchable.ts'
import styles from './preview.module.css'
import { useStatusText } from './status-text.ts'

/** It says what was written, and from which candidate. */
export interface Outcome {
  readonly applied: MetadataApplyResponse
  readonly preview: Previewed
}

interface AppliedProps {
  readonly of: Matchable
  readonly id: string
  readonly plugin: PluginAction
  readonly outcome: Outcome
  readonly matchId: string | undefined
  readonly onBack: () => void
}

/** It shows what was written, what was left out and why, and where to go on. */
export const Applied = ({ of, id, plugin, outcome, matchId, onBack }: AppliedProps): ReactNode => {
  const { t } = useTranslation('matching')
  const fieldText = useFieldText()
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that was pressed is gone.
  useEffect(() => heading.current?.focus(), [])
  const { appliedFields } = outcome.applied
  return (
    <Stack as="section" gap={3} box pad={4} className={styles.applied}>
      <h2 ref={heading} tabIndex={-1} className={styles.appliedTitle}>
        {t('applied.title', { count: appliedFields.length })}
      </h2>
      {appliedFields.length === 0 ? null : <Text>{appliedFields.map(fieldText).join(', ')}</Text>}
      {appliedFields.includes('cover') ? <Text>{t('applied.cover')}</Text> : null}
      <Left plugin={plugin} outcome={outcome} />
      <Row gap={2} align="stretch" wrap touch="wide">
        <Button component={AppLink} to={of.kind === 'series' ? paths.series(id) : paths.book(id)}>
          {of.kind === 'series' ? t('applied.toSeries') : t('applied.toBook')}
        </Button>
        <Button variant="default" onClick={onBack}>
          {matchId === undefined ? t('preview.back') : t('applied.toQueue')}
        </Button>
      </Row>
    </Stack>
  )
}

const sayable: ReadonlySet<string> = new Set(['will_apply', 'locked', 'no_permission'])

/** It lists values of the plugin that were not taken. */
const Left = ({ plugin, outcome }: Pick<AppliedProps, 'plugin' | 'outcome'>): ReactNode => {
  const { t } = useTranslation('matching')
  const fieldText = useFieldText()
  const statusText = useStatusText(plugin.pluginDisplayName)
  const { applied, preview } = outcome
  const left = preview.fields.filter(
    ({ field, status }) => sayable.has(status) && !applied.appliedFields.includes(field),
  )
  if (left.length === 0) return null
  return (
    <>
      <Text>{t('applied.left')}</Text>
      <Stack as="ul" gap={1} className={styles.reasons}>
        {left.map((each) => (
          <li key={each.field}>
            {fieldText(each.field)}: {each.status === 'will_apply' ? t('status.left_out') : statusText(each)}
          </li>
        ))}
      </Stack>
    </>
  )
}
